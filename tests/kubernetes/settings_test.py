#!/usr/bin/env python3
"""Every setting in the manifests is one of the process's own, and the process accepts its values together.

usage: settings_test.py ROOT PROGRAM…     PROGRAM: the path of a process, such as …/perigee-sim"""
import os
import pathlib
import re
import subprocess
import sys

from check_manifests import build, files_of, kustomize
from manifests import FOLDER, name_of, pod_of, read

# What the kubelet puts in place of fields.
FIELDS = {"status.podIP": "10.1.2.3", "status.hostIP": "10.0.0.7", "metadata.name": "pod-0", "spec.nodeName": "node-1"}

# Of perigee-ctl, which operators start in the directory's container.
FOR_CTL = {"PERIGEE_DIRECTORY"}


def environment(container, config_maps):
    values = {}
    for source in container.get("envFrom", []):
        values.update(config_maps[source["configMapRef"]["name"]])
    for variable in container.get("env", []):
        value = variable.get("value")
        if value is None:
            field = variable["valueFrom"].get("fieldRef", {}).get("fieldPath")
            value = FIELDS[field] if field else "secret"
        values[variable["name"]] = re.sub(r"\$\((\w+)\)", lambda found: values[found.group(1)], value)
    return values


def known(program):
    """Names of all of a program's settings as variables."""
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    return {"PERIGEE_" + flag.replace("-", "_").upper() for flag in re.findall(r"--([a-z][a-z0-9-]*)", text)}


def check(manifests, programs):
    config_maps = {each["metadata"]["name"]: each["data"] for each in manifests if each["kind"] == "ConfigMap"}
    for manifest in manifests:
        found = pod_of(manifest)
        for container in found[1]["containers"] if found else []:
            program = programs.get(container["command"][0])
            if program is None:
                continue
            own = {name: value for name, value in environment(container, config_maps).items()
                   if name.startswith("PERIGEE_")}
            for name in sorted(set(own) - known(program) - FOR_CTL):
                yield f"{name_of(manifest)}: {container['command'][0]} has no setting {name}"
            run = subprocess.run([program, "--check-config"], capture_output=True, text=True, check=False,
                                 env={**os.environ, **own, "PERIGEE_INSECURE": "true"})
            if run.returncode:
                yield f"{name_of(manifest)}: {run.stderr.strip()}"
            print(f"{name_of(manifest)}: {len(own)} settings")


def main():
    root = pathlib.Path(sys.argv[1])
    programs = {pathlib.Path(path).name: path for path in sys.argv[2:]}
    sets = [list(files_of(root / FOLDER / folder)) for folder in ("base", "agones")]
    if kustomize() is not None:
        sets += [read(build(root, f"overlays/{overlay}").stdout) for overlay in ("dev", "prod")]
    breaches = [each for manifests in sets for each in check(manifests, programs)]
    broken = [{**each, "spec": {**each["spec"]}} for each in sets[0]
              if each["kind"] == "StatefulSet" and each["metadata"]["name"] == "perigee-sim"]
    container = pod_of(broken[0])[1]["containers"][0]
    for name, value, sentence in (("PERIGEE_SIM_DRAIN", "75", "no setting PERIGEE_SIM_DRAIN"),
                                  ("PERIGEE_SIM_DRAIN_S", "soon", "sim.drain_s")):
        container["env"] = [{"name": name, "value": value}]
        container["envFrom"] = []
        if not any(sentence in each for each in check(broken, programs)):
            breaches.append(f"nobody refuses {name}={value}")
    print("\n".join(breaches))
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
