/** A kind that every cluster serves. */
export interface BuiltIn {
  readonly plural: string;
  readonly namespaced: boolean;
}

/** Plurals by group and kind; those of the whole cluster stand behind a bar. */
const TABLE: Readonly<Record<string, string>> = {
  '': 'ConfigMap:configmaps Endpoints:endpoints Event:events LimitRange:limitranges PersistentVolumeClaim:persistentvolumeclaims Pod:pods PodTemplate:podtemplates ReplicationController:replicationcontrollers ResourceQuota:resourcequotas Secret:secrets ServiceAccount:serviceaccounts Service:services | Namespace:namespaces Node:nodes PersistentVolume:persistentvolumes',
  apps: 'ControllerRevision:controllerrevisions DaemonSet:daemonsets Deployment:deployments ReplicaSet:replicasets StatefulSet:statefulsets',
  autoscaling: 'HorizontalPodAutoscaler:horizontalpodautoscalers',
  batch: 'CronJob:cronjobs Job:jobs',
  'coordination.k8s.io': 'Lease:leases',
  'discovery.k8s.io': 'EndpointSlice:endpointslices',
  'events.k8s.io': 'Event:events',
  'networking.k8s.io': 'Ingress:ingresses NetworkPolicy:networkpolicies | IngressClass:ingressclasses',
  policy: 'PodDisruptionBudget:poddisruptionbudgets',
  'rbac.authorization.k8s.io':
    'Role:roles RoleBinding:rolebindings | ClusterRole:clusterroles ClusterRoleBinding:clusterrolebindings',
  'apiextensions.k8s.io': '| CustomResourceDefinition:customresourcedefinitions',
  'scheduling.k8s.io': '| PriorityClass:priorityclasses',
  'storage.k8s.io': '| CSIDriver:csidrivers StorageClass:storageclasses VolumeAttachment:volumeattachments',
};

export function builtInResource(group: string, kind: string): BuiltIn | undefined {
  const [inside = '', outside = ''] = (Object.hasOwn(TABLE, group) ? (TABLE[group] ?? '') : '').split('|');
  for (const [list, namespaced] of [
    [inside, true],
    [outside, false],
  ] as const) {
    const entry = list.split(' ').find((one) => one.startsWith(`${kind}:`));
    if (entry !== undefined) return { plural: entry.slice(kind.length + 1), namespaced };
  }
  return undefined;
}
