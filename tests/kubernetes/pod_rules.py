"""Rules for pods that a schema cannot have: rights, probes, limits, settings."""
import re

from manifests import name_of, pod_of

USED = re.compile(r"\$\(([A-Z_][A-Z0-9_]*)\)")
# The process has to end before the kubelet kills it.
DRAINS = {"PERIGEE_SIM_DRAIN_S", "PERIGEE_GATEWAY_DRAIN_S", "PERIGEE_ROOMS_END_S"}


def check_pod(manifest):
    found = pod_of(manifest)
    if found is None:
        return
    name, pod = name_of(manifest), found[1]
    rights = pod.get("securityContext", {})
    if rights.get("runAsNonRoot") is not True or rights.get("runAsUser", 0) == 0:
        yield f"{name}: its pod may run as root; set runAsNonRoot and runAsUser"
    if rights.get("seccompProfile", {}).get("type") != "RuntimeDefault":
        yield f"{name}: seccompProfile is not RuntimeDefault"
    if manifest["kind"] != "Fleet" and pod.get("automountServiceAccountToken") is not False:
        yield f"{name}: a token of the API server is mounted; set automountServiceAccountToken: false"
    if pod.get("enableServiceLinks") is not False:
        yield f"{name}: variables of Services would look like settings; set enableServiceLinks: false"
    for shared in ("hostNetwork", "hostPID", "hostIPC"):
        if pod.get(shared):
            yield f"{name}: {shared} is not allowed"
    volumes = {volume["name"]: volume for volume in pod.get("volumes", [])}
    volumes.update({each["metadata"]["name"]: {} for each in manifest["spec"].get("volumeClaimTemplates", [])})
    for volume in volumes.values():
        if "hostPath" in volume:
            yield f"{name}: volume {volume['name']} is a folder of the node"
    for container in pod.get("initContainers", []) + pod["containers"]:
        at = f"{name}: container {container['name']}"
        yield from check_rights(at, container.get("securityContext", {}))
        yield from check_resources(at, container)
        yield from check_probes(at, container)
        yield from check_environment(at, container, pod)
        yield from check_mounts(at, container, volumes)


def check_rights(at, rights):
    if rights.get("runAsUser") == 0 or rights.get("runAsNonRoot") is False:
        yield f"{at} runs as root"
    if rights.get("privileged"):
        yield f"{at} is privileged"
    if rights.get("allowPrivilegeEscalation") is not False:
        yield f"{at} may gain privileges; set allowPrivilegeEscalation: false"
    if rights.get("readOnlyRootFilesystem") is not True:
        yield f"{at} may write to its image; set readOnlyRootFilesystem: true"
    capabilities = rights.get("capabilities", {})
    if capabilities.get("drop") != ["ALL"] or capabilities.get("add"):
        yield f"{at} has capabilities; set capabilities: {{drop: [ALL]}}"


def check_resources(at, container):
    resources = container.get("resources", {})
    for what in ("cpu", "memory"):
        if what not in resources.get("requests", {}):
            yield f"{at} requests no {what}: the scheduler would place any number on a node"
    if "memory" not in resources.get("limits", {}):
        yield f"{at} has no limit of memory"
    if "cpu" in resources.get("limits", {}):
        yield f"{at} has a limit of cpu: its ticks would be late whenever the kernel applies it"
    if ":" not in container["image"].rsplit("/", 1)[-1] or container["image"].endswith(":latest"):
        yield f"{at}: the image {container['image']} names no version"


def check_probes(at, container):
    ports = {port.get("name"): port for port in container.get("ports", [])}
    if None in ports:
        yield f"{at}: a port has no name"
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        kind = container.get(probe, {})
        target = kind.get("httpGet") or kind.get("tcpSocket")
        if target is None:
            yield f"{at} has no {probe}"
        elif target["port"] not in ports:
            yield f"{at}: {probe} asks the port {target['port']}, which the container does not have"


def check_environment(at, container, pod):
    defined = set()
    for variable in container.get("env", []):
        for used in USED.findall(variable.get("value", "")):
            if used not in defined:
                yield f"{at}: {variable['name']} uses $({used}), which is not defined before it"
        if variable["name"] in defined:
            yield f"{at}: {variable['name']} is there twice"
        defined.add(variable["name"])
        if variable["name"] in DRAINS and int(variable["value"]) >= pod["terminationGracePeriodSeconds"]:
            yield (f"{at}: {variable['name']} is not below terminationGracePeriodSeconds: it would be killed "
                   "before it has drained")
    for argument in container.get("command", []):
        for used in USED.findall(argument):
            if used not in defined:
                yield f"{at}: its command uses $({used}), which is not defined"


def check_mounts(at, container, volumes):
    for mount in container.get("volumeMounts", []):
        if mount["name"] not in volumes:
            yield f"{at} mounts {mount['name']}, which is no volume of the pod"
            continue
        volume = volumes[mount["name"]]
        keys = any("secret" in source for source in volume.get("projected", {}).get("sources", []))
        if (keys or "secret" in volume) and mount.get("readOnly") is not True:
            yield f"{at}: the secrets at {mount['mountPath']} are not mounted read-only, so perigee refuses their mode"
