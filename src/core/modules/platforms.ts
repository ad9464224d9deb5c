const SYSTEMS = ['linux', 'darwin', 'windows', 'android'] as const;
const ARCHITECTURES = ['amd64', 'arm64', 'arm32v6', 'arm32v7', '386', 'any'] as const;

/** Platform of an archive: `any`, or an operating system with an architecture. */
export type Platform = 'any' | `${(typeof SYSTEMS)[number]}/${(typeof ARCHITECTURES)[number]}`;

/** All platforms that the registry supports (rule `module.platform` of the API contract). */
export const PLATFORMS: readonly Platform[] = [
  ...SYSTEMS.flatMap((system) =>
    ARCHITECTURES.map((architecture) => `${system}/${architecture}` as const),
  ),
  'any',
];

const known: ReadonlySet<string> = new Set(PLATFORMS);

/** Returns true if the registry supports a platform with this name. */
export function isPlatform(text: string): text is Platform {
  return known.has(text);
}
