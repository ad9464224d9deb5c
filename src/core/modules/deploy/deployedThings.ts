/** Something that a config was edited for: a module, or a model. */
export interface Deployed {
  /** Of the registry: of what is put there again, the later counts. */
  readonly itemId: string;
  /** The text of a config with it in it. */
  readonly deploy: (text: string) => string;
}

/**
 * What a config says still of what was put there, each once: it may have been undone, or changed further,
 * since it was proposed.
 * @param puts in their order
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
    // It has something else where modules belong, or is no config at all.
    return false;
  }
}
