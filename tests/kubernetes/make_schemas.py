#!/usr/bin/env python3
"""Writes tests/kubernetes/schemas from the published descriptions of the kinds that deploy/kubernetes uses.

All of these are under the Apache License 2.0; the schemas keep names, types and required fields, and no text. With go:
  go mod download -json k8s.io/kubernetes@v1.37.2 github.com/cert-manager/cert-manager@v1.21.2 \\
    github.com/prometheus-operator/prometheus-operator@v0.85.0     # names the folders
  tests/kubernetes/make_schemas.py KUBERNETES_FOLDER CERT_MANAGER_FOLDER PROMETHEUS_OPERATOR_FOLDER
schemas/own.json is written by hand: Agones, whose kinds have no description of that form, and kustomizations.
"""
import json
import pathlib
import sys

import yaml

OUT = pathlib.Path(__file__).parent / "schemas"
CORE = {
    "apps/v1": ["Deployment", "StatefulSet"],
    "autoscaling/v2": ["HorizontalPodAutoscaler"],
    "networking.k8s.io/v1": ["NetworkPolicy"],
    "policy/v1": ["PodDisruptionBudget"],
    "v1": ["ConfigMap", "Namespace", "PersistentVolumeClaim", "Secret", "Service", "ServiceAccount"],
}
QUANTITY = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$"


def closed(node, keep=None):
    """Without texts, and with no fields but the named ones. `keep`: of the node's own fields, only these."""
    if isinstance(node, list):
        return [closed(each) for each in node]
    if not isinstance(node, dict):
        return node
    if node.get("x-kubernetes-int-or-string") or node.get("format") == "int-or-string":
        return {"type": ["integer", "string"]}
    out = {}
    for key, value in node.items():
        if key in ("description", "default", "title", "example", "externalDocs") or key.startswith("x-"):
            continue
        if key == "properties":
            fields = {name: closed(field) for name, field in value.items() if not keep or name in keep}
            out[key] = {name: field for name, field in fields.items() if name not in ("status", "managedFields")}
        elif key == "required":
            out[key] = [name for name in value if name != "status"]
        else:
            out[key] = closed(value)
    if "properties" in out and not node.get("x-kubernetes-preserve-unknown-fields"):
        out["additionalProperties"] = False
    return out


def referenced(node):
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"].rsplit("/", 1)[1]
        for value in node.values():
            yield from referenced(value)
    elif isinstance(node, list):
        for value in node:
            yield from referenced(value)


def write(name, about, kinds, definitions):
    """One definition a line, so that a newer version is a readable difference."""
    lines = [f'"about": {json.dumps(about)}', f'"kinds": {json.dumps(kinds, sort_keys=True)}']
    rows = [f"{json.dumps(key)}: {json.dumps(definitions[key], sort_keys=True)}" for key in sorted(definitions)]
    lines.append('"definitions": {\n' + ",\n".join(rows) + "\n}")
    (OUT / name).write_text("{\n" + ",\n".join(lines) + "\n}\n")


def version_of(folder):
    return folder.name.rsplit("@", 1)[-1]


def kubernetes(folder):
    described = json.loads((folder / "api/openapi-spec/swagger.json").read_text())
    by_kind = {}
    for name, definition in described["definitions"].items():
        for each in definition.get("x-kubernetes-group-version-kind", []):
            version = "/".join(part for part in (each["group"], each["version"]) if part)
            by_kind[f"{version} {each['kind']}"] = name
    kinds = {key: by_kind[key] for key in (f"{version} {kind}" for version in CORE for kind in CORE[version])}
    found, ahead = {}, list(kinds.values())
    while ahead:
        name = ahead.pop()
        if name in found:
            continue
        found[name] = closed(described["definitions"][name])
        ahead.extend(referenced(found[name]))
    found["io.k8s.apimachinery.pkg.api.resource.Quantity"] = {"type": ["string", "number"], "pattern": QUANTITY}
    write("kubernetes.json", f"Kubernetes {version_of(folder)}, Apache License 2.0", kinds, found)


def custom(out, about, files):
    """`files`: (CustomResourceDefinition, fields of its spec to keep; none: all)."""
    kinds, definitions = {}, {}
    for path, keep in files:
        described = yaml.safe_load(path.read_text())["spec"]
        version = next(each for each in described["versions"] if each["storage"])
        name = f"{described['group']}.{version['name']}.{described['names']['kind']}"
        schema = closed(version["schema"]["openAPIV3Schema"])
        schema["properties"]["metadata"] = {"$ref": "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}
        if keep:
            schema["properties"]["spec"] = closed(
                version["schema"]["openAPIV3Schema"]["properties"]["spec"], keep)
        kinds[f"{described['group']}/{version['name']} {described['names']['kind']}"] = name
        definitions[name] = schema
    write(out, about, kinds, definitions)


def main():
    core, certificates, prometheus = (pathlib.Path(each) for each in sys.argv[1:4])
    kubernetes(core)
    crds = certificates / "deploy/crds"
    custom("cert_manager.json", f"cert-manager {version_of(certificates)}, Apache License 2.0",
           [(crds / "cert-manager.io_certificates.yaml", None),
            (crds / "cert-manager.io_issuers.yaml", ["ca", "selfSigned"])])
    custom("prometheus_operator.json",
           f"Prometheus Operator {version_of(prometheus)}, Apache License 2.0",
           [(prometheus / "example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml", None)])


if __name__ == "__main__":
    main()
