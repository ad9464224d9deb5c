/**
 * Whether a config says already what a deployment makes it say: it may have been undone, or changed
 * further, since it was proposed.
 * @param deploy the text of a config with the deployment in it
 */
export function isDeployed(configText: string, deploy: (text: string) => string): boolean {
  try {
    return deploy(configText) === configText;
  } catch {
    // It has something else where modules belong, or is no config at all.
    return false;
  }
}
