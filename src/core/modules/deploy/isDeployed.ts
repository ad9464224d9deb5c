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
