"""`python -m bench NAME`: the same as `holdfast bench NAME`, with the package of this environment."""

import sys

from bench import ROOT
from holdfast.bench.run import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], ROOT))
