/** Module or model that a config was edited for. */
export interface Deployed {
  /** ID of the registry item: if the same item was deployed twice, the later one counts. */
  readonly itemId: string;
  /** Returns the text of a config with the item added. */
  readonly deploy: (text: string) => string;
}

/**
 * Returns the deployed items that a config still contains, each once: an edit can have been undone
 * or changed since it was proposed.
 * @param puts in order
 */
export function deployedThings<T extends Deployed>(
  configText: string,
  puts: readonly T[],
): readonly T[] {
  const latest = new Map(puts.map((put) => [put.itemId, put]));
  return [...latest.values()].filter(({ deploy }) => isDeployed(configText, deploy));
}

function isDeployed(configText: string, deploy: Deployed['deploy']): boolean {
  try {
    return deploy(configText) === configText;
  } catch {
    // The config has another value where modules belong, or isn't valid.
    return false;
  }
}
