/** Of what a module exports, what can be imported by its name. */
export function exportsOf(module: object): readonly string[] {
  return Object.keys(module).filter((name) => /^[\w$]+$/.test(name) && name !== 'default');
}

/**
 * The text of a module with these names whose contents are asked for when one of them is used for the first time.
 * @param load an expression
 */
export function lazyModule(load: string, names: readonly string[]): string {
  const getters = names.map((name) => `get ${name}() { return loaded().${name} },`);
  return `let found;
const loaded = () => (found ??= ${load});
module.exports = {
${getters.join('\n')}
};`;
}
