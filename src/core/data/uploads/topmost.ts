/**
 * The addresses that are in none of the others: VS Code hands over a folder and what is in it when both are
 * selected. Thousands may be: each asks for the folders it is in, not for all others.
 */
export function topmost(addresses: Iterable<string>): readonly string[] {
  const all = new Set(addresses);
  return [...all].filter((address) => !foldersOf(address).some((folder) => all.has(folder)));
}

function foldersOf(address: string): readonly string[] {
  return [...address.matchAll(/\//g)].map(({ index }) => address.slice(0, index));
}
