"""`python -m holdfast` is `holdfast`."""

from holdfast.interfaces.cli.main import main

if __name__ == "__main__":
    main()
