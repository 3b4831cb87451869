/** The way out of each rule, in the same words from `validate` and from the API server. */
export const ADVICE = {
  aim: 'set exactly one of spec.policyRef and spec.policySelector',
  namespace: 'remove it',
  selector: 'write In, NotIn, Exists or DoesNotExist, with values for the first two',
  duration: 'write whole hours, minutes and seconds, such as 30m, 1h30m or 90s',
  window: 'write 24h or less',
  deadline: 'write 0 or more, or remove it for no deadline',
  source: 'keep exactly one of pvc, pvcSelector and nfs',
  repositories: 'set exactly one of repository and repositories',
  double: 'remove it',
  retention: 'set at least one bucket above 0, or remove the block',
} as const;
