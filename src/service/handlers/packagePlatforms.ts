const ANY = 'any';

/** The platforms whose archives run on a platform, the best suited first. */
export function platformsFor(platform: string): string[] {
  const [system = ''] = platform.split('/');
  return [...new Set([platform, `${system}/${ANY}`, ANY])];
}
