"""The prefix that the tests of this folder use: import it before awdit.

    test_NAME.py BUILD SOURCE

`cmake --install` puts all into a temporary directory, whose package is imported,
and which goes when the test ends. Nothing of the environment leads elsewhere.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

BUILD, SOURCE = [Path(a).resolve() for a in sys.argv[1:3]]
_folder = tempfile.TemporaryDirectory(prefix="awdit-python-")
WORK = Path(_folder.name)
PREFIX = WORK / "prefix"
_done = subprocess.run(
    ["cmake", "--install", BUILD, "--prefix", PREFIX], check=False, text=True,
    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
if _done.returncode != 0:
    sys.exit(_done.stdout)
PACKAGES = PREFIX / "lib/python3/dist-packages"
LIBRARY = next(PREFIX.glob("**/libawdit.so.1"))

os.environ.pop("AWDIT_LIBRARY", None)
os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if not name.startswith(("PYTHON", "PYTEST", "PIP_"))
               and name != "LD_LIBRARY_PATH"}
ENVIRONMENT |= {"PYTHONPATH": str(PACKAGES), "PYTHONDONTWRITEBYTECODE": "1"}
sys.path.insert(0, str(PACKAGES))


def python(*arguments, **environment):
    """(exit code, output) of Python with the staged package."""
    done = subprocess.run(
        [sys.executable, "-B", *map(str, arguments)], check=False, text=True,
        cwd=WORK, env=ENVIRONMENT | environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    return done.returncode, done.stdout
