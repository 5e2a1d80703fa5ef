#!/usr/bin/env python3
"""src/report/page, as the TypeScript compiler sees it; esbuild does not look at
types."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "src/report/page"


def main():
    tsc = shutil.which("tsc")
    if not tsc:
        print("skipped: no tsc")
        sys.exit(1 if os.environ.get("CI") else 77)
    sys.exit(subprocess.run([tsc, "-p", PAGE], check=False).returncode)


if __name__ == "__main__":
    main()
