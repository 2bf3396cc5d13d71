"""Books a place on a guided tour."""

from tidepool.payments import charge

PLACES_PER_TOUR = 12


def book(tour: str, guests: int, taken: int) -> str:
    if guests + taken > PLACES_PER_TOUR:
        raise ValueError("the tour is full")
    return charge(tour, guests)
