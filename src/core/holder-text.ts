/** Which process holds a lock: `host/boot/namespace pid random`. */
export const HOLDER = /^(\S+) (\d{1,10}) \S+$/;

/** A holder in words; one that another program wrote stays as it is. */
export function holderText(holder: string): string {
  const [, space = '', pid] = HOLDER.exec(holder) ?? [];
  return pid === undefined ? holder : `process ${pid} on host ${space.split('/', 1).join()}`;
}
