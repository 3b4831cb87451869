/** Flags for a Node that runs the text of a module before its program. */
export function preload(module: string): readonly string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(module)}`];
}
