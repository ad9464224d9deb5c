/**
 * Returns the addresses that no other address contains, because VS Code passes both a folder and
 * its contents if both are selected. There can be thousands of addresses, so this function looks up
 * the parent folders of each address instead of comparing all pairs.
 */
export function topmost(addresses: Iterable<string>): readonly string[] {
  const all = new Set(addresses);
  return [...all].filter(
    (address) => !listParentFolders(address).some((folder) => all.has(folder)),
  );
}

function listParentFolders(address: string): readonly string[] {
  return [...address.matchAll(/\//g)].map(({ index }) => address.slice(0, index));
}
