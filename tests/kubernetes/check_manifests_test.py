#!/usr/bin/env python3
"""check_manifests.py accepts the tree, and names each breach that is planted in a copy of it.

usage: check_manifests_test.py ROOT"""
import pathlib
import shutil
import sys
import tempfile

import check_manifests
from manifests import FOLDER, Schemas
from set_rules import check_set

SIM, GATEWAY, NETWORK, SESSION = "base/sim.yaml", "base/gateway.yaml", "base/network.yaml", "base/session.yaml"
# File, former text, present text, part of the sentence that names the breach.
BREACHES = [
    (SIM, "kind: StatefulSet", "kind: StatefullSet", "no kind apps/v1 StatefullSet"),
    (SIM, "apiVersion: apps/v1", "apiVersion: apps/v1beta1", "no kind apps/v1beta1 StatefulSet"),
    (SIM, "replicas: 2", "replica: 2", "'replica' was unexpected"),
    (SIM, "replicas: 2", "replicas: two", "'two' is not of type 'integer'"),
    (SIM, "replicas: 2", "replicas: 2\n  replicas: 3", "the key replicas is there twice"),
    (SIM, "memory: 1Gi", "memory: 1 GB", "does not match"),
    (SIM, "containers:", "container:", "'container' was unexpected"),
    (SIM, "serviceName: perigee-sim", "", "no Service"),
    (SIM, "readinessProbe: {httpGet: {path: /joined", "readinessProbe: {http: {path: /joined", "'http' was unexpected"),
    (SIM, "runAsNonRoot: true", "runAsNonRoot: false", "may run as root"),
    (SIM, "runAsUser: 10001", "runAsUser: 0", "may run as root"),
    (SIM, "allowPrivilegeEscalation: false", "runAsUser: 0\n            allowPrivilegeEscalation: false", "container sim runs as root"),
    (SIM, "allowPrivilegeEscalation: false", "allowPrivilegeEscalation: true", "may gain privileges"),
    (SIM, "allowPrivilegeEscalation: false", "privileged: true\n            allowPrivilegeEscalation: false", "is privileged"),
    (SIM, "readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false", "may write to its image"),
    (SIM, "drop: [ALL]", "drop: [ALL], add: [NET_ADMIN]", "has capabilities"),
    (SIM, "seccompProfile: {type: RuntimeDefault}", "seccompProfile: {type: Unconfined}", "seccompProfile is not"),
    (SIM, "automountServiceAccountToken: false", "automountServiceAccountToken: true", "a token of the API server"),
    (SIM, "enableServiceLinks: false", "enableServiceLinks: true", "look like settings"),
    (SIM, "enableServiceLinks: false", "hostNetwork: true\n      enableServiceLinks: false", "hostNetwork is not allowed"),
    (SIM, "emptyDir: {sizeLimit: 1Gi}", "hostPath: {path: /var}", "a folder of the node"),
    (SIM, "limits: {memory: 2Gi}", "limits: {memory: 2Gi, cpu: 1}", "has a limit of cpu"),
    (SIM, ", limits: {memory: 2Gi}", "", "no limit of memory"),
    (SIM, "requests: {cpu: \"1\", memory: 1Gi}", "requests: {memory: 1Gi}", "requests no cpu"),
    (SIM, "image: perigee:local", "image: perigee", "names no version"),
    (SIM, "readinessProbe: {httpGet: {path: /joined, port: admin}", "readinessProbe: {httpGet: {path: /joined, port: admim}", "asks the port admim"),
    (SIM, "          livenessProbe:", "          # livenessProbe:", "has no livenessProbe"),
    (SIM, "value: \"75\"", "value: \"90\"", "is not below terminationGracePeriodSeconds"),
    (GATEWAY, "mountPath: /var/lib/perigee/secrets, readOnly: true", "mountPath: /var/lib/perigee/secrets", "not mounted read-only"),
    (SIM, "{name: state, mountPath", "{name: stat, mountPath", "which is no volume"),
    (GATEWAY, "secret: {name: perigee-backend}", "secret: {name: perigee-back}", "needs Secret perigee-back,"),
    (SIM, "serviceAccountName: perigee-sim", "serviceAccountName: default", "needs ServiceAccount default"),
    (SIM, "configMapRef: {name: perigee-cluster}", "configMapRef: {name: perigee-clusters}", "needs ConfigMap perigee-clusters"),
    (SIM, "{name: links, containerPort: 40040}", "{name: links, containerPort: 40041}", "port links is 40041"),
    (SIM, "value: $(POD_IP)", "value: $(POD_ID)", "uses $(POD_ID)"),
    (SIM, "targetPort: admin", "targetPort: metrics", "has no port metrics"),
    (GATEWAY, "  selector: {app.kubernetes.io/component: gateway}\n  ports", "  selector: {app.kubernetes.io/component: gate}\n  ports", "selects no pods"),
    (GATEWAY, "  clusterIP: None", "  type: LoadBalancer", "is open to the outside"),
    (GATEWAY, "- {name: PERIGEE_GATEWAY_DRAIN_S", "- {name: PERIGEE_GATEWAY_NAME, value: other}\n            - {name: PERIGEE_GATEWAY_DRAIN_S", "is there twice"),
    (SESSION, "{name: control, port: 40012, targetPort: control}", "{name: control, port: 40012, targetPort: controls}", "has no port controls"),
    (SESSION, "claimName: perigee-session", "claimName: sessions", "needs PersistentVolumeClaim sessions"),
    (NETWORK, "podSelector: {}\n  policyTypes: [Ingress, Egress]", "podSelector: {}\n  policyTypes: [Egress]", "refuses everything"),
    (NETWORK, "ports: [{protocol: UDP, port: 40000}]", "ports: [{protocol: UDP, port: 40000}, {protocol: TCP, port: 40050}]", "everybody reaches the port grpc"),
    (NETWORK, "ports: [{protocol: UDP, port: 40030}]", "ports: [{protocol: UDP, port: 40031}]", "has no port UDP 40031"),
    (NETWORK, "[{protocol: TCP, port: 40010}, {protocol: TCP, port: 40013}]", "[{protocol: TCP, port: 40010}]", "lets anybody reach its port log-in-http"),
    (NETWORK, "policyTypes: [Ingress, Egress]", "policyTypes: Ingress", "is not of type 'array'"),
    ("base/disruption.yaml", "matchLabels: {app.kubernetes.io/component: sim}", "matchLabels: {app.kubernetes.io/component: sims}", "PodDisruptionBudget perigee-sim selects no pods"),
    ("base/accounts.yaml", "kind: ServiceAccount", "kind: ServiceAcount", "no kind v1 ServiceAcount"),
    ("base/kustomization.yaml", "configMapGenerator:", "configMapGenerators:", "'configMapGenerators' was unexpected"),
    ("overlays/prod/session.yaml", "volumeMounts:", "volumeMount:", "'volumeMount' was unexpected"),
    ("components/monitoring/autoscaler.yaml", "averageValue: 500m", "averageValue: half", "does not match"),
    ("components/monitoring/service_monitor.yaml", "path: /metrics", "paths: /metrics", "'paths' was unexpected"),
    ("components/certificates/certificates.yaml", "dnsNames: [play.example.org]", "dnsName: play.example.org", "'dnsName' was unexpected"),
    ("agones/fleet.yaml", "portPolicy: Dynamic", "portPolicy: dynamic", "'dynamic' is not one of"),
    ("agones/fleet.yaml", "runAsNonRoot: true", "runAsNonRoot: false", "may run as root"),
    ("agones/fleet.yaml", "containerPort: 40081", "containerPort: 40082", "port orders is 40082"),
    ("agones/allocation.yaml", "gameServerState: Ready", "gameServerState: Free", "'Free' is not one of"),
]
ADAPTER_BREACHES = [
    (check_manifests.ADAPTER, "perigee_sim_tick_seconds_sum{", "perigee_sim_ticks_seconds_sum{", "has no perigee_sim_ticks_seconds_sum"),
    (check_manifests.ADAPTER, "metricsQuery:", "metricQuery:", "has other fields"),
    (check_manifests.ADAPTER, "as: perigee_sim_tick_load", "as: perigee_sim_load", "makes perigee_sim_tick_load"),
    (check_manifests.AUTOSCALER, "name: perigee_sim_tick_load", "name: perigee_sim_tick_seconds", "makes perigee_sim_tick_seconds"),
]
# For what is built: an autoscaler of something else.
SET_BREACHES = [
    ({"kind": "StatefulSet", "name": "perigee-sims"}, "scales StatefulSet perigee-sims"),
]


def breaches_of(root, schemas, only=None):
    found = list(check_manifests.check_files(root, schemas, only))
    for folder in ("base", "agones"):
        if not found and only in (None, *(f"{folder}/{path.name}" for path in (root / FOLDER / folder).iterdir())):
            found = list(check_set(list(check_manifests.files_of(root / FOLDER / folder)), root))
    return found


def copy_of(root, to):
    shutil.copytree(root / FOLDER, to / FOLDER)
    for other in ("platform/host/include/perigee/host/process.hpp", "docs/metrics.md"):
        (to / other).parent.mkdir(parents=True)
        shutil.copy(root / other, to / other)


def main():
    root, schemas, failures = pathlib.Path(sys.argv[1]), Schemas(), []
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        copy_of(root, copy)
        failures += [f"the tree itself: {each}" for each in breaches_of(copy, schemas)]
        failures += [f"the tree itself: {each}" for each in check_manifests.check_adapter(copy)]
        for name, former, present, sentence in BREACHES + ADAPTER_BREACHES:
            path = copy / FOLDER / name
            text = path.read_text(encoding="utf-8")
            if former not in text:
                failures.append(f"{name} does not have {former}")
                continue
            path.write_text(text.replace(former, present, 1), encoding="utf-8")
            found = breaches_of(copy, schemas, name) if name != check_manifests.ADAPTER else []
            found += list(check_manifests.check_adapter(copy))
            if not any(sentence in each for each in found):
                failures.append(f"{name}: {present}: nobody says '{sentence}', but: {found}")
            path.write_text(text, encoding="utf-8")
    base = list(check_manifests.files_of(root / FOLDER / "base"))
    for target, sentence in SET_BREACHES:
        scaler = {"kind": "HorizontalPodAutoscaler", "metadata": {"name": "x"}, "spec": {"scaleTargetRef": target}}
        if not any(sentence in each for each in check_set(base + [scaler], root)):
            failures.append(f"nobody says '{sentence}'")
    print("\n".join(failures) or f"{len(BREACHES) + len(ADAPTER_BREACHES) + len(SET_BREACHES)} breaches, each named")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
