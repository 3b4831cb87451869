/** The way out of each rule, in the same words from `validate` and from the API server. */
export const ADVICE = {
  cluster: 'write the name of an EtcdCluster',
  exclusive: 'keep either all or the thresholds',
  quantity: 'write for example 200Mi',
  positive: 'write a quantity above 0',
  percent: 'write a whole percentage from 1% to 99%',
  quotaNeeded: 'set quotaUsageAbove or remove minReclaim',
  floor: 'lower minReclaim or raise freeSpaceAbove',
} as const;
