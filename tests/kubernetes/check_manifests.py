#!/usr/bin/env python3
"""Checks deploy/kubernetes: every file against the schema of its kind, pods and sets against our rules, and what the
overlays build. Prints a sentence for each breach; exit code 1 if there is any. Needs no network.

usage: check_manifests.py ROOT           the files as they are; the base as a set
       check_manifests.py --built ROOT   what kustomize builds; 77 (skipped) without kustomize 4 or later
       check_manifests.py --stdin ROOT   a set on standard input
"""
import pathlib
import shutil
import subprocess
import sys

import yaml

from manifests import FOLDER, Schemas, name_of, read
from pod_rules import check_pod
from set_rules import check_set

BUILT = ("base", "overlays/dev", "overlays/prod", "agones")
# No manifest: the rules of prometheus-adapter.
ADAPTER = "components/monitoring/adapter_rules.yaml"
AUTOSCALER = "components/monitoring/autoscaler.yaml"


def patches_of(root):
    """Files that kustomizations name as patches."""
    for path in sorted((root / FOLDER).rglob("kustomization.yaml")):
        for kustomization in read(path.read_text(encoding="utf-8")):
            for patch in kustomization.get("patches", []):
                if "path" in patch:
                    yield path.parent / patch["path"]


def check_files(root, schemas, only=None):
    """`only`: one file, named from deploy/kubernetes."""
    patches = set(patches_of(root))
    for path in sorted((root / FOLDER).rglob("*.yaml")):
        name = path.relative_to(root / FOLDER).as_posix()
        if name == ADAPTER or only not in (None, name):
            continue
        try:
            manifests = read(path.read_text(encoding="utf-8"))
        except yaml.YAMLError as error:
            yield f"{name}: {error}"
            continue
        if path in patches and isinstance(manifests[0], list):
            manifests = []  # a patch by places: only what it makes can be checked
        for manifest in manifests:
            found = schemas.differences(manifest, path in patches)
            yield from (f"{name}: {each}" for each in found)
            if not found and path not in patches:
                yield from (f"{name}: {each}" for each in check_pod(manifest))


def check_adapter(root):
    """The autoscaler's metric is one that the rules make, of a metric that perigee has."""
    rules, = read((root / FOLDER / ADAPTER).read_text(encoding="utf-8"))
    scaler, = read((root / FOLDER / AUTOSCALER).read_text(encoding="utf-8"))
    page = (root / "docs/metrics.md").read_text(encoding="utf-8")
    made = set()
    for rule in rules["rules"]:
        series = rule["seriesQuery"].split("{")[0]
        if f"`{series.removesuffix('_sum')}`" not in page:
            yield f"{ADAPTER}: docs/metrics.md has no {series}"
        if set(rule) != {"seriesQuery", "resources", "name", "metricsQuery"} or rule["name"]["matches"] != f"^{series}$":
            yield f"{ADAPTER}: the rule for {series} has other fields than prometheus-adapter reads, or matches another series"
        made.add(rule["name"]["as"])
    for metric in scaler["spec"]["metrics"]:
        if metric["pods"]["metric"]["name"] not in made:
            yield f"{AUTOSCALER}: no rule of {ADAPTER} makes {metric['pods']['metric']['name']}"


def files_of(folder):
    """The manifests of a base, with the ConfigMaps that its kustomization generates."""
    kustomization, = read((folder / "kustomization.yaml").read_text(encoding="utf-8"))
    for resource in kustomization["resources"]:
        yield from read((folder / resource).read_text(encoding="utf-8"))
    for generated in kustomization.get("configMapGenerator", []):
        yield {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": generated["name"]},
               "data": dict(literal.split("=", 1) for literal in generated["literals"])}


def kustomize():
    """The command that builds an overlay; None: there is none, or one without components (before version 4)."""
    for command in (["kustomize", "build"], ["kubectl", "kustomize"]):
        if shutil.which(command[0]):
            version = subprocess.run([command[0], "version"] + (["--client"] if command[0] == "kubectl" else []),
                                     capture_output=True, text=True, check=False).stdout
            if any(f"v{major}." in version.replace("Client Version", "").split("Kustomize Version")[-1] for major in (4, 5, 6)):
                return command
    return None


def build(root, part):
    return subprocess.run(kustomize() + [str(root / FOLDER / part)], capture_output=True, text=True, check=False)


def check_documents(manifests, schemas, root):
    found = [each for manifest in manifests for each in schemas.differences(manifest)]
    yield from found
    if found:
        return
    for manifest in manifests:
        yield from check_pod(manifest)
    yield from check_set(manifests, root)


def check_built(root, schemas):
    for part in BUILT:
        built = build(root, part)
        if built.returncode:
            yield f"{part}: {built.stderr.strip()}"
            continue
        manifests = read(built.stdout)
        yield from (f"{part}: {each}" for each in check_documents(manifests, schemas, root))
        print(f"{part}: {len(manifests)} manifests: {', '.join(sorted({each['kind'] for each in manifests}))}")


def main():
    mode = sys.argv[1] if sys.argv[1].startswith("--") else ""
    root, schemas = pathlib.Path(sys.argv[-1]), Schemas()
    if mode == "--built":
        if kustomize() is None:
            print("skipped: no kustomize 4 or later (`kustomize` or `kubectl kustomize`)")
            return 77
        breaches = list(check_built(root, schemas))
    elif mode == "--stdin":
        breaches = list(check_documents(read(sys.stdin.read()), schemas, root))
    else:
        breaches = list(check_files(root, schemas)) or list(check_adapter(root))
        for folder in ("base", "agones"):
            if not breaches:
                breaches = [f"{folder}: {each}" for each in check_set(list(files_of(root / FOLDER / folder)), root)]
    print("\n".join(breaches))
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
