/** Module or model for which a config was edited. */
export interface Deployed {
  /**
   * ID of the registry item. If the same item was deployed twice, only the later deployment counts.
   */
  readonly itemId: string;
  /** Adds the item to a config's text. */
  readonly deploy: (text: string) => string;
}

/**
 * Returns the distinct deployed items that a config still contains, because an edit might have been
 * undone or changed since it was proposed.
 * @param puts deployments in the order in which they were made
 */
export function findDeployed<T extends Deployed>(
  configText: string,
  puts: readonly T[],
): readonly T[] {
  const latest = new Map(puts.map((put) => [put.itemId, put]));
  return [...latest.values()].filter(({ deploy }) => contains(configText, deploy));
}

function contains(configText: string, deploy: Deployed['deploy']): boolean {
  try {
    return deploy(configText) === configText;
  } catch {
    // The config is invalid, or its value for the list isn't a list.
    return false;
  }
}

/**
 * Returns true if the config on the service already contains a deployment. Checking an open
 * document isn't sufficient, because another user might have changed the config.
 * @param read reads the config from the service, not from a cache
 */
export async function isDeployed(
  read: () => Promise<{ readonly configText: string }>,
  deploy: (configText: string) => string,
): Promise<boolean> {
  const { configText } = await read();
  return deploy(configText) === configText;
}
