/** How a configuration in YAML calls what has this id: `cron-job` is `cronJob`. */
export function fieldOf(id: string): string {
  return id.replace(/-([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}
