import type { JsonObject } from '#core/object/object.ts';
import { type Given, type Part, TEMPLATE } from './job-update-row.ts';

/** What a volume says, with what the server takes it to say anyway. */
const SPELLED_OUT: readonly (readonly [source: string, given: JsonObject, anyway: JsonObject])[] = [
  ['persistentVolumeClaim', { claimName: 'a' }, { readOnly: false }],
  ['nfs', { server: 'a', path: '/' }, { readOnly: false }],
  ['glusterfs', { endpoints: 'a', path: 'a' }, { readOnly: false }],
  ['cephfs', { monitors: ['a'] }, { readOnly: false }],
  ['fc', { wwids: ['a'] }, { readOnly: false }],
  ['azureFile', { secretName: 'a', shareName: 'a' }, { readOnly: false }],
  ['flexVolume', { driver: 'a/b' }, { readOnly: false, options: {} }],
  ['csi', { driver: 'a.b' }, { volumeAttributes: {} }],
  ['gcePersistentDisk', { pdName: 'a' }, { readOnly: false, partition: 0 }],
  ['awsElasticBlockStore', { volumeID: 'a' }, { readOnly: false, partition: 0 }],
  [
    'azureDisk',
    { diskName: 'a', diskURI: 'https://blob/a' },
    { readOnly: false, cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared' },
  ],
  [
    'iscsi',
    { targetPortal: '10.0.0.1', iqn: 'iqn.2001-04.com.example:a', lun: 0 },
    { readOnly: false, iscsiInterface: 'default', chapAuthDiscovery: false, chapAuthSession: false },
  ],
  [
    'rbd',
    { monitors: ['a'], image: 'a' },
    { readOnly: false, pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  ],
  [
    'scaleIO',
    { gateway: 'a', system: 'a', volumeName: 'a', secretRef: { name: 'a' } },
    { readOnly: false, sslEnabled: false, storageMode: 'ThinProvisioned', fsType: 'xfs' },
  ],
  ['image', { reference: 'busybox:1.37' }, { pullPolicy: 'IfNotPresent' }],
];

const volumeOf = (source: string, fields: JsonObject): Part => ({
  pod: { volumes: [{ name: 'a', [source]: fields }] },
});

export const VOLUME_ROWS: readonly Given[] = [
  ...SPELLED_OUT.map(
    ([source, given, anyway]): Given => [
      `a volume ${source} that is spelled out`,
      volumeOf(source, given),
      volumeOf(source, { ...given, ...anyway }),
    ],
  ),
  [
    'a claim that is only read',
    volumeOf('persistentVolumeClaim', { claimName: 'a' }),
    volumeOf('persistentVolumeClaim', { claimName: 'a', readOnly: true }),
    [TEMPLATE],
  ],
  [
    'a volume of a driver that is said to be written',
    volumeOf('csi', { driver: 'a.b' }),
    volumeOf('csi', { driver: 'a.b', readOnly: false }),
    [TEMPLATE],
  ],
  [
    'the pull policy of a volume that is latest',
    volumeOf('image', { reference: 'busybox' }),
    volumeOf('image', { reference: 'busybox', pullPolicy: 'Always' }),
  ],
  [
    'another pull policy of a volume',
    volumeOf('image', { reference: 'busybox:1.37' }),
    volumeOf('image', { reference: 'busybox:1.37', pullPolicy: 'Always' }),
    [TEMPLATE],
  ],
];
