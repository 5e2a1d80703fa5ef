#!/usr/bin/env python3
"""Pages in a real browser: see browser.cjs for what is looked at.

    test_browser.py AWDIT SCRATCH

Installs playwright-core (package-lock.json) into SCRATCH with npm; Chromium is
the system's. Exits with 77, "skipped", if one of them is not to be had; where
the variable CI is set that is a failure.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import histories

HERE = Path(__file__).resolve().parent
SKIPPED = 77


def skip(why):
    print("skipped:", why)
    sys.exit(1 if os.environ.get("CI") else SKIPPED)


def install(npm, scratch):
    """playwright-core of the lock file, once."""
    lock = (HERE / "package-lock.json").read_bytes()
    done = scratch / "installed-lock.json"
    if done.exists() and done.read_bytes() == lock:
        return
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, scratch / name)
    ran = subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--silent"],
                         cwd=scratch, capture_output=True, text=True,
                         check=False)
    if ran.returncode != 0:
        skip("npm ci failed: " + ran.stderr.strip()[-300:])
    done.write_bytes(lock)


def main():
    awdit, scratch = sys.argv[1], Path(sys.argv[2])
    chromium = next(filter(None, map(shutil.which, (
        "chromium", "chromium-browser", "google-chrome"))), None)
    npm, node = shutil.which("npm"), shutil.which("node")
    if not chromium or not npm or not node:
        skip("no " + ", ".join(name for name, path in (
            ("chromium", chromium), ("npm", npm), ("node", node))
            if not path))
    pages = scratch / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    install(npm, scratch)
    paths = histories.make(awdit, pages)
    paths += [histories.crowd(awdit, pages, 50),
              histories.crowd(awdit, pages, 5000)]
    for path in paths:
        histories.write_page(awdit, path, path.with_suffix(".html"))
    histories.write_page(awdit, pages / "serializable.txt",
                         pages / "asked-two.html", "-i", "rc,ra")
    histories.write_page(awdit, histories.hard(awdit, pages),
                         pages / "undecided.html", "-i", "cc,si",
                         "--memory-limit", "1M")
    for page in pages.glob("*.html"):
        if page.stat().st_size > 1_000_000:
            sys.exit(f"{page.name} has {page.stat().st_size} bytes")
    environment = os.environ | {"NODE_PATH": str(scratch / "node_modules")}
    ran = subprocess.run([node, str(HERE / "browser.cjs"), chromium,
                          str(pages)], env=environment, check=False)
    sys.exit(ran.returncode)


if __name__ == "__main__":
    main()
