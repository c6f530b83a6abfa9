"""Slims real libraries to sm_90, and checks without a GPU what can be checked so.

For every library: sizes, time and private memory of the program; entries that stay byte for byte; all
wrappers walked in the memory of a process that has loaded it; a call; the same again after `strip` and
`patchelf`; what `readelf` and `eu-elflint` say; the program's own `validate` and `scan`; once more, and
two devices first. For wheels: the package with slimmed libraries, installed into a new environment.
"""

import base64
import collections
import csv
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

BINFMT = os.environ["BINFMT"]
HERE = pathlib.Path(__file__).resolve().parent

# Package, and per library what a packed file is expected to measure in MB, and a call that needs no GPU.
PACKAGES = {
    "nvidia-nvjpeg==13.3.2.43": {"libnvjpeg.so.13": (3.67, "nvjpegGetProperty")},
    "nvidia-npp==13.2.0.93": {"libnppif.so.13": (12.4, None)},
    "nvidia-cublas==13.0.0.19": {
        "libcublas.so.13": (13.9, "cublasGetCudartVersion"),
        "libcublasLt.so.13": (456.5, "cublasLtGetVersion"),
    },
    "nvidia-cusparse==12.9.4.2": {"libcusparse.so.12": (49.5, "cusparseGetProperty")},
    "nvidia-nccl-cu13==2.32.3": {"libnccl.so.2": (110.2, "ncclGetVersion")},
}

# What a slimmed wheel is expected to measure in MB, where that is known.
WHEELS = {"nvidia-nvjpeg": 1.44, "nvidia-npp": 23.5, "nvidia-cublas": 301.0}

# Leave out the libraries that are not named above.
QUICK = "QUICK" in os.environ

failures = []


def say(text):
    print(text, flush=True)


def want(condition, text):
    if not condition:
        failures.append(text)
        say(f"    WRONG: {text}")


def run(*args, **options):
    return subprocess.run([str(arg) for arg in args], capture_output=True, text=True, **options)


def measured(*args):
    """Runs a program; its result, the time it took and the most private memory that it had."""
    start = time.perf_counter()
    child = subprocess.Popen([str(arg) for arg in args], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    peak = 0
    while child.poll() is None:
        try:
            for line in open(f"/proc/{child.pid}/status"):
                if line.startswith("RssAnon:"):
                    peak = max(peak, int(line.split()[1]))
        except OSError:
            break
        time.sleep(0.002)
    out, err = child.communicate()
    return child.returncode, out.decode(), err.decode(), time.perf_counter() - start, peak / 1000


def entries(path):
    """The entries of a file, each by what it is and by its bytes."""
    data = memoryview(path.read_bytes())
    line = json.loads(run(BINFMT, "slim", path, "--keep", "sm_90", "--ptx", "all", "--dry-run", "--json").stdout)
    found = collections.Counter()
    for container in line["containers"]:
        for entry in container["entries"]:
            start, end = int(entry["offset"]), int(entry["offset"]) + int(entry["bytes"])
            found[entry["code"], hashlib.sha256(data[start:end]).hexdigest()] += 1
    return len(line["containers"]), found


def loaded(path, call, search):
    """What the library says in a process of its own, whose wrappers are all walked."""
    environment = dict(os.environ, LD_LIBRARY_PATH=":".join(map(str, search)))
    result = run(sys.executable, HERE / "load.py", path, call or "-", env=environment)
    return result.stdout.strip() or f"failed: {result.stderr.strip().splitlines()[-1:]}"


def tools(path, name, call, search, expected, work):
    for tool in (["readelf", "-aW"], ["eu-elflint", "--gnu-ld"]):
        if not shutil.which(tool[0]):
            say(f"    {tool[0]}: not here")
            continue
        if tool[0] == "readelf":
            told = run(*tool, path).stderr
            before = run(*tool, search[0] / name).stderr
            want(told.count("\n") <= before.count("\n"), f"{name}: readelf says {told[:200]}")
            continue
        old, new = (set(run(*tool, it).stdout.splitlines()) for it in (search[0] / name, path))
        say(f"    eu-elflint: {len(old)} lines for the old file, {len(new - old)} others for the new one")
    for tool in (["strip"], ["patchelf", "--set-rpath", "/nowhere"]):
        if not shutil.which(tool[0]):
            say(f"    {tool[0]}: not here")
            continue
        copy = work / "changed" / name
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(path, copy)
        changed = run(*tool, copy)
        got = loaded(copy, call, search)
        want(changed.returncode == 0 and got == expected, f"{name}: after {tool[0]}: {got}")
        copy.unlink()


def library(path, expected_mb, call, work, search):
    """All checks for a library that is named above, and for the others those that are quick."""
    name = path.name
    out = work / "out" / name
    out.parent.mkdir(exist_ok=True)
    code, _, error, seconds, memory = measured(BINFMT, "slim", path, "--keep", "sm_90", "-o", out, "--force")
    if code != 0:
        want(code == 3, f"{name}: exit code {code}: {error}")
        say(f"  {name}: nothing goes")
        shutil.copy(path, out)
        return
    old, new = path.stat().st_size / 1e6, out.stat().st_size / 1e6
    say(f"  {name}: {old:.2f} MB to {new:.2f} MB, {seconds:.1f} s, {memory:.0f} MB of private memory")
    want(memory < 100, f"{name}: {memory:.0f} MB of private memory")
    if expected_mb:
        want(abs(new - expected_mb) <= 0.02 * expected_mb, f"{name}: expected {expected_mb} MB")
    (count, before), (count_after, after) = entries(path), entries(out)
    want(count == count_after and not after - before, f"{name}: containers or entries differ")
    say(f"    {count} containers, {sum(before.values())} entries to {sum(after.values())}, all as they were")
    validated = run(BINFMT, "validate", "--json", out)
    want(validated.returncode == 0, f"{name}: validate: {validated.stdout[:300]}")
    scanned = json.loads(run(BINFMT, "scan", "--json", out).stdout.splitlines()[-1])["summary"]
    want(not scanned["damaged"], f"{name}: scan: {scanned}")
    was, got = loaded(path, call, search), loaded(out, call, search)
    want(was.split("|")[0] == got.split("|")[0] and "walked" in got, f"{name}: loaded: {was} and {got}")
    say(f"    loaded: {got}")
    if not expected_mb:
        return
    tools(out, name, call, search, got, work)
    again = run(BINFMT, "slim", out, "--keep", "sm_90", "-o", work / "again")
    want(again.returncode == 3, f"{name}: a second time: exit code {again.returncode}")
    wide = work / "wide"
    if run(BINFMT, "slim", path, "--keep", "sm_80,sm_90", "-o", wide, "--force").returncode == 0:
        narrow = work / "narrow" / name
        narrow.parent.mkdir(exist_ok=True)
        code = run(BINFMT, "slim", wide, "--keep", "sm_90", "-o", narrow, "--force").returncode
        narrow = narrow if code == 0 else wide
        got = loaded(narrow, call, search)
        want(code in (0, 3) and "walked" in got, f"{name}: narrowed twice: {code} {got}")
        narrow.unlink()
        wide.unlink(missing_ok=True)
    zero = work / "zero"
    code = run(BINFMT, "slim", path, "--keep", "sm_90", "--punch", "-o", zero, "--force").returncode
    want(code == 0, f"{name}: --punch: exit code {code}")
    say(f"    with holes {zero.stat().st_blocks * 512 / 1e6:.2f} MB on the disk")
    zero.unlink()


def package(name, libraries, work):
    say(name)
    wheels = work / "wheels"
    if not list(wheels.glob(f"{name.split('==')[0].replace('-', '_')}-{name.split('==')[1]}-*")):
        run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", wheels, name, check=True)
    [wheel] = wheels.glob(f"{name.split('==')[0].replace('-', '_')}-{name.split('==')[1]}-*")
    folder = work / "lib"
    folder.mkdir(exist_ok=True)
    found = []
    with zipfile.ZipFile(wheel) as archive:
        for item in archive.infolist():
            if ".so" in item.filename and not item.is_dir():
                target = folder / pathlib.Path(item.filename).name
                if not target.exists():
                    with archive.open(item) as source, open(target, "wb") as to:
                        shutil.copyfileobj(source, to)
                found.append(target)
    for path in sorted(found):
        if QUICK and path.name not in libraries:
            continue
        if run(BINFMT, "slim", path, "--keep", "sm_90", "--dry-run").returncode == 1:
            say(f"  {path.name}: refused (no device code)")
            continue
        expected, call = libraries.get(path.name, (None, None))
        library(path, expected, call, work, [folder])
    whole(name, wheel, libraries, work)


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def listed(wheel):
    """Every member of a wheel with its bytes' hash; the list of the wheel must say the same of each."""
    with zipfile.ZipFile(wheel) as archive:
        [record] = [name for name in archive.namelist() if name.endswith(".dist-info/RECORD")]
        rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(archive.read(record).decode()))}
        found = {}
        for item in archive.infolist():
            if item.is_dir():
                continue
            data = archive.read(item)
            found[item.filename] = digest(data)
            expected = ["", ""] if item.filename == record else [f"sha256={digest(data)}", str(len(data))]
            want(rows.pop(item.filename, None) == expected, f"{wheel.name}: RECORD has another {item.filename}")
        want(not rows, f"{wheel.name}: RECORD names {list(rows)}")
    return found


def whole(name, wheel, libraries, work):
    """The wheel itself: slimmed, its list verified, installed with pip, its libraries loaded."""
    folder = work / "slim"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    code, _, error, seconds, memory = measured(BINFMT, "slim", wheel, "--keep", "sm_90", "-o", folder)
    want(code == 0, f"{wheel.name}: exit code {code}: {error}")
    if code != 0:
        return
    [new] = folder.iterdir()
    old_mb, new_mb = wheel.stat().st_size / 1e6, new.stat().st_size / 1e6
    say(f"  {new.name}: {old_mb:.2f} MB to {new_mb:.2f} MB, {seconds:.1f} s, {memory:.0f} MB of private memory")
    want(memory < 100, f"{wheel.name}: {memory:.0f} MB of private memory")
    if expected := WHEELS.get(name.split("==")[0]):
        want(abs(new_mb - expected) <= 0.02 * expected, f"{wheel.name}: expected {expected} MB")
    before, after = listed(wheel), listed(new)
    want(before.keys() == after.keys(), f"{wheel.name}: other members")
    changed = sorted(member for member in before if before[member] != after.get(member))
    kept = [member for member in changed if not member.endswith(("/WHEEL", "/RECORD")) and ".so" not in member]
    want(not kept, f"{wheel.name}: changed: {kept}")
    say(f"    {len(before)} members, {len(changed)} changed; RECORD is right for all")
    python = work / "venv" / "bin" / "python"
    if not python.exists():
        run(sys.executable, "-m", "venv", work / "venv", check=True)
    installed = run(python, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--force-reinstall", new)
    want(installed.returncode == 0, f"{wheel.name}: pip: {installed.stderr}")
    shown = run(python, "-m", "pip", "show", "-f", name.split("==")[0]).stdout
    want(f"Version: {name.split('==')[1]}" in shown, f"{wheel.name}: pip shows {shown[:100]}")
    [site] = (work / "venv" / "lib").glob("python*/site-packages")
    here = {path.name: path for path in site.rglob("*.so*")}
    for library, (_, call) in libraries.items():
        alone = work / "out" / library
        same = digest(here[library].read_bytes()) == digest(alone.read_bytes())
        want(same, f"{wheel.name}: {library} is not what it becomes alone")
        got = loaded(here[library], call, {path.parent for path in here.values()} | {work / "lib"})
        want("walked" in got, f"{wheel.name}: {library} as installed: {got}")
        say(f"    installed with pip, {library} loaded: {got}")
    for path in folder.iterdir():
        path.unlink()


def main():
    work = pathlib.Path(sys.argv[1] or tempfile.mkdtemp(prefix="binfmt-slim-")).resolve()
    (work / "wheels").mkdir(parents=True, exist_ok=True)
    for name, libraries in PACKAGES.items():
        package(name, libraries, work)
    say(f"{len(failures)} failures")
    for failure in failures:
        say(f"  {failure}")
    sys.exit(bool(failures))


main()
