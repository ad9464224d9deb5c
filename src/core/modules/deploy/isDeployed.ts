/**
 * Returns whether the service holds a config that a deployment leaves as it is. An open document can say
 * so while another user has changed the config.
 * @param read reads the config from the service, not from a cache
 */
export async function isDeployed(
  read: () => Promise<{ readonly configText: string }>,
  deploy: (configText: string) => string,
): Promise<boolean> {
  const { configText } = await read();
  return deploy(configText) === configText;
}
