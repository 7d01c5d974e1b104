"""Rules for a set of manifests that are applied together: what refers to what, and who reaches whom."""
import re

from manifests import name_of, pod_of

# Ports that anybody may reach.
PLAYERS = {"players", "log-in", "log-in-http"}
# Ports that the network policies open to nobody: the console's page is reached by kubectl port-forward.
CLOSED = {"page"}
# Made by the operator: keys by deploy/kubernetes/secrets.sh, the others as docs/kubernetes.md says.
BY_THE_OPERATOR = {"Secret perigee-backend", "Secret perigee-players", "Secret perigee-console",
                   "Secret perigee-world-store", "ConfigMap perigee-jwt"}
# Names of ports in the manifests, and the constants of host::port.
CONSTANTS = {
    ("gateway", "players"): "gateway_udp", ("gateway", "fabric"): "gateway_fabric", ("gateway", "grpc"): "gateway_grpc",
    ("gateway", "admin"): "gateway_admin", ("session", "log-in"): "session_grpc", ("session", "control"): "session_control",
    ("session", "log-in-http"): "session_http", ("session", "admin"): "session_admin",
    ("directory", "grpc"): "directory_grpc", ("directory", "admin"): "directory_admin", ("sim", "grpc"): "sim_grpc",
    ("sim", "fabric"): "sim_fabric", ("sim", "links"): "sim_fabric", ("sim", "admin"): "sim_admin",
    ("console", "page"): "console_http", ("console", "admin"): "console_admin", ("rooms", "orders"): "rooms_grpc",
    ("rooms", "players"): "rooms_udp", ("rooms", "admin"): "rooms_admin",
}
PORT_BASE = 40000


def constants(root):
    text = (root / "platform/host/include/perigee/host/process.hpp").read_text(encoding="utf-8")
    return {name: PORT_BASE + int(value)
            for name, value in re.findall(r"constexpr std::uint16_t (\w+) = (\d+);", text)}


def component(labels):
    return labels.get("app.kubernetes.io/component")


def selects(selector, labels):
    for key, value in selector.get("matchLabels", {}).items():
        if labels.get(key) != value:
            return False
    for rule in selector.get("matchExpressions", []):
        if rule["operator"] != "In" or labels.get(rule["key"]) not in rule["values"]:
            return False
    return True


class Pods:
    """The pods of a set, with their ports."""
    def __init__(self, manifests):
        self.all = []  # (manifest, labels, {port name: (protocol, number)})
        for manifest in manifests:
            found = pod_of(manifest)
            if found is None:
                continue
            ports = {port["name"]: (port.get("protocol", "TCP"), port["containerPort"])
                     for container in found[1]["containers"] for port in container.get("ports", []) if "name" in port}
            if manifest["kind"] == "Fleet":
                for port in manifest["spec"]["template"]["spec"].get("ports", []):
                    ports[port["name"]] = (port["protocol"], port["containerPort"])
            self.all.append((manifest, found[0], ports))

    def of(self, selector):
        return [each for each in self.all if selects(selector, each[1])]


def check_set(manifests, root):
    pods = Pods(manifests)
    yield from check_names(manifests)
    yield from check_ports(pods, constants(root))
    yield from check_references(manifests)
    yield from check_services(manifests, pods)
    yield from check_targets(manifests, pods)
    yield from check_policies([each for each in manifests if each["kind"] == "NetworkPolicy"], pods)


def check_names(manifests):
    seen = set()
    for manifest in manifests:
        name = name_of(manifest)
        if name in seen:
            yield f"{name} is there twice"
        seen.add(name)


def check_ports(pods, numbers):
    for manifest, labels, ports in pods.all:
        for name, (_, number) in ports.items():
            constant = CONSTANTS.get((component(labels), name))
            if constant and numbers[constant] != number:
                yield f"{name_of(manifest)}: port {name} is {number}, and the process has {numbers[constant]}"


def references(manifest):
    """Names of ConfigMaps, Secrets and accounts that a pod needs."""
    pod = pod_of(manifest)[1]
    if "serviceAccountName" in pod:
        yield f"ServiceAccount {pod['serviceAccountName']}"
    for volume in pod.get("volumes", []):
        sources = volume.get("projected", {}).get("sources", [])
        for source in sources + [volume]:
            if "secret" in source:
                yield f"Secret {source['secret'].get('name') or source['secret'].get('secretName')}"
            if "configMap" in source:
                yield f"ConfigMap {source['configMap']['name']}"
        if "persistentVolumeClaim" in volume:
            yield f"PersistentVolumeClaim {volume['persistentVolumeClaim']['claimName']}"
    for container in pod["containers"]:
        for source in container.get("envFrom", []):
            yield f"ConfigMap {source['configMapRef']['name']}"
        for variable in container.get("env", []):
            key = variable.get("valueFrom", {}).get("secretKeyRef")
            if key:
                yield f"Secret {key['name']}"


def check_references(manifests):
    present = {name_of(each) for each in manifests} | BY_THE_OPERATOR
    present |= {f"Secret {each['spec']['secretName']}" for each in manifests if each["kind"] == "Certificate"}
    for manifest in manifests:
        if pod_of(manifest) is None:
            continue
        for needed in references(manifest):
            if needed not in present:
                yield f"{name_of(manifest)} needs {needed}, which nobody makes"


def check_services(manifests, pods):
    for service in (each for each in manifests if each["kind"] == "Service"):
        name, spec = name_of(service), service["spec"]
        selected = pods.of({"matchLabels": spec["selector"]})
        if not selected:
            yield f"{name} selects no pods"
        for port in spec["ports"]:
            for manifest, _, ports in selected:
                if port["targetPort"] not in ports:
                    yield f"{name}: {name_of(manifest)} has no port {port['targetPort']}"
            if spec.get("type", "ClusterIP") != "ClusterIP" and port["targetPort"] not in PLAYERS:
                yield f"{name}: port {port['name']} is open to the outside; only {', '.join(sorted(PLAYERS))} may be"
    names = {name_of(each) for each in manifests}
    for manifest in manifests:
        if manifest["kind"] == "StatefulSet":
            service = manifest["spec"].get("serviceName")
            if f"Service {service}" not in names:
                yield f"{name_of(manifest)}: no Service {service} gives its pods their names"


def check_targets(manifests, pods):
    names = {name_of(each) for each in manifests}
    for manifest in manifests:
        if manifest["kind"] == "HorizontalPodAutoscaler":
            target = manifest["spec"]["scaleTargetRef"]
            if f"{target['kind']} {target['name']}" not in names:
                yield f"{name_of(manifest)} scales {target['kind']} {target['name']}, which is not there"
        if manifest["kind"] == "PodDisruptionBudget" and not pods.of(manifest["spec"]["selector"]):
            yield f"{name_of(manifest)} selects no pods"
        if manifest["kind"] in ("Deployment", "StatefulSet"):
            if not selects(manifest["spec"]["selector"], pod_of(manifest)[0]):
                yield f"{name_of(manifest)} does not select its own pods"


def check_policies(policies, pods):
    if not any(policy["spec"]["podSelector"] == {} and set(policy["spec"]["policyTypes"]) == {"Ingress", "Egress"}
               for policy in policies):
        yield "no NetworkPolicy refuses everything that no other one allows"
    opened = {}  # id of a pod's entry -> ports that somebody reaches
    for policy in policies:
        for manifest, labels, ports in pods.of(policy["spec"]["podSelector"]):
            for rule in policy["spec"].get("ingress", []):
                yield from check_ingress(policy, rule, manifest, ports, opened.setdefault(name_of(manifest), set()))
        yield from check_egress(policy, pods)
    for manifest, _, ports in pods.all:
        for name in ports:
            if name not in opened.get(name_of(manifest), set()) | CLOSED and name != "admin":
                yield f"{name_of(manifest)}: no NetworkPolicy lets anybody reach its port {name}"


def check_ingress(policy, rule, manifest, ports, opened):
    for port in rule.get("ports", []):
        numbers = range(port["port"], port.get("endPort", port["port"]) + 1)
        named = [name for name, (protocol, number) in ports.items() if protocol == port["protocol"] and number in numbers]
        opened.update(named)
        if policy["spec"]["podSelector"].get("matchLabels", {}).get("app.kubernetes.io/component") and not named:
            yield f"{name_of(policy)}: {name_of(manifest)} has no port {port['protocol']} {port['port']}"
        if "from" not in rule:
            for name in set(named) - PLAYERS:
                yield f"{name_of(policy)}: everybody reaches the port {name} of {name_of(manifest)}"
    if "ports" not in rule:
        yield f"{name_of(policy)}: a rule opens all ports of {name_of(manifest)}"


def check_egress(policy, pods):
    for rule in policy["spec"].get("egress", []):
        for peer in rule.get("to", []):
            if "namespaceSelector" in peer or "podSelector" not in peer:
                continue
            for port in rule["ports"]:
                wanted = (port["protocol"], port["port"])
                for manifest, _, ports in pods.of(peer["podSelector"]):
                    if wanted not in ports.values():
                        yield f"{name_of(policy)}: {name_of(manifest)} has no port {wanted[0]} {wanted[1]}"
