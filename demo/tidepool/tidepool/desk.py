"""The command with which the desk books places."""

import sys

from tidepool.bookings import book


def main() -> None:
    tour, guests = sys.argv[1:]
    print(book(tour, int(guests), taken=0))


if __name__ == "__main__":
    main()
