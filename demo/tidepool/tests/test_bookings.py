from tidepool.bookings import book


def test_a_place_is_charged():
    assert "charged 2" in book("low tide", guests=2, taken=0)
