"""Reads manifests, and compares them with the schemas of their kinds."""
import copy
import json
import pathlib

import jsonschema
import yaml

HERE = pathlib.Path(__file__).parent
FOLDER = pathlib.Path("deploy/kubernetes")


class Loader(yaml.SafeLoader):
    """Refuses a key that is there twice: the second value would win in silence."""


def mapping(loader, node):
    seen = set()
    for key, _ in node.value:
        if key.value in seen:
            raise yaml.YAMLError(f"line {key.start_mark.line + 1}: the key {key.value} is there twice")
        seen.add(key.value)
    return loader.construct_mapping(node, deep=True)


Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, mapping)


def read(text):
    """The documents of a file."""
    return [each for each in yaml.load_all(text, Loader) if each is not None]


def name_of(manifest):
    metadata = manifest.get("metadata") or {}
    return f'{manifest.get("kind")} {metadata.get("name") or metadata.get("generateName") or "without a name"}'


def without_required(node):
    if isinstance(node, dict):
        return {key: without_required(value) for key, value in node.items() if key != "required"}
    return [without_required(each) for each in node] if isinstance(node, list) else node


class Schemas:
    def __init__(self):
        self.kinds, self.definitions = {}, {}
        for path in sorted((HERE / "schemas").glob("*.json")):
            described = json.loads(path.read_text(encoding="utf-8"))
            self.kinds.update(described["kinds"])
            self.definitions.update(described["definitions"])
        self.partial = without_required(copy.deepcopy(self.definitions))

    def differences(self, manifest, is_patch=False):
        """A sentence for each field that the schema refuses. A patch need not have the required fields."""
        if not isinstance(manifest, dict):
            return [f"{manifest!r} is not a manifest"]
        key = f'{manifest.get("apiVersion")} {manifest.get("kind")}'
        if key not in self.kinds:
            return [f"there is no kind {key} in tests/kubernetes/schemas; have {', '.join(sorted(self.kinds))}"]
        definitions = self.partial if is_patch else self.definitions
        schema = {"$ref": f"#/definitions/{self.kinds[key]}", "definitions": definitions}
        found = sorted(jsonschema.Draft7Validator(schema).iter_errors(manifest), key=lambda each: str(each.path))
        return [f"{name_of(manifest)}: {place_of(each)}: {each.message}" for each in found]


def place_of(error):
    return ".".join(str(part) for part in error.absolute_path) or "its top"


def pod_of(manifest):
    """(labels, spec) of the pods that a manifest makes; None: it makes none."""
    if manifest["kind"] in ("Deployment", "StatefulSet"):
        template = manifest["spec"]["template"]
    elif manifest["kind"] == "Fleet":
        template = manifest["spec"]["template"]["spec"]["template"]
    else:
        return None
    return template.get("metadata", {}).get("labels", {}), template["spec"]
