"""The histories that are measured: made once by awdit generate and its
relatives, with fixed seeds, and kept in a folder."""

import hashlib
import subprocess
import sys

# The file that most limits are about.
ACCEPTANCE = {"ops": 10_000_000, "sessions": 50, "txn-ops": 8,
              "keys": 1_000_000, "distribution": "zipf:0.99", "reads": 0.5,
              "seed": 1}


class Inputs:
    """`share` is the size of everything, as a share of the real thing."""

    def __init__(self, bin_dir, cache, share):
        self.bin_dir, self.cache, self.share = bin_dir, cache, share
        cache.mkdir(parents=True, exist_ok=True)

    def size(self, number):
        return max(100, round(number * self.share))

    def run(self, *words):
        subprocess.run([str(word) for word in words], check=True,
                       stderr=subprocess.DEVNULL)

    def make(self, name, key, write, suffix=".txt"):
        """The path of an input that `write(path)` makes; made unless it is
        there. Equal keys mean equal contents."""
        digest = hashlib.md5(repr(key).encode()).hexdigest()[:8]
        path = self.cache / f"{name}-{digest}{suffix}"
        if not path.exists():
            print(f"making {path.name}", file=sys.stderr)
            partial = path.with_name(f"partial-{path.name}")
            write(partial)
            partial.rename(path)
        return path

    def generated(self, name, **options):
        words = [word for option, value in options.items()
                 for word in (f"--{option}", value)]
        key = sorted(options.items())
        return self.make(name, key, lambda partial: self.run(
            self.bin_dir / "awdit", "generate", "--to", "plume", "-o",
            partial, *words))

    def serial(self, name="serial", **changes):
        """A history like the acceptance file, transaction after transaction;
        `changes` are options of awdit generate, sizes already to scale."""
        shape = ACCEPTANCE | {"ops": self.size(ACCEPTANCE["ops"]),
                              "keys": self.size(ACCEPTANCE["keys"])}
        shape |= {option.replace("_", "-"): value
                  for option, value in changes.items()}
        if "transactions" in shape:
            del shape["ops"]
        return self.generated(name, **shape)

    def interleaved(self, path):
        """The same, with the lines of concurrent transactions mixed."""
        return self.make("interleaved", path.name, lambda partial: self.run(
            self.bin_dir / "mix_lines", path, partial))

    def random_keys(self, path):
        """The same, with keys of eight digits."""
        return self.make("random-keys", path.name, lambda partial: self.run(
            self.bin_dir / "rename_keys", path, partial))

    def converted(self, path, form):
        """The same in another format."""
        return self.make("load", path.name, lambda partial: self.run(
            self.bin_dir / "awdit", "convert", "--to", form, path, partial),
            f".{form}")


def count_lines(path):
    """The operations of a Plume file; reading it also warms the page cache."""
    lines = 0
    with open(path, "rb") as file:
        while block := file.read(1 << 22):
            lines += block.count(b"\n")
    return lines


def files_of(path):
    """A history may be a directory: its files, and their size together."""
    files = [path] if path.is_file() else sorted(path.iterdir())
    return [str(file) for file in files], sum(f.stat().st_size for f in files)
