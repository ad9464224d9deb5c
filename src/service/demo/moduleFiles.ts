import type { FilePlan, ModulePlan } from './registryPlan';

/**
 * Returns the files of a module's archive for a platform: its manifest, and a program that prints
 * its name.
 */
export function moduleFiles(
  namespace: string,
  { name, description, url, models, entrypoint, markdown }: ModulePlan,
  version: string,
  platform: string,
): FilePlan[] {
  const manifest = {
    module_id: `${namespace}:${name}`,
    visibility: 'private',
    url,
    description,
    markdown_link: 'README.md',
    models: models.map(({ subtype, model }) => ({ api: `rdk:component:${subtype}`, model })),
    entrypoint,
  };
  return [
    { path: 'meta.json', text: `${JSON.stringify(manifest, undefined, 2)}\n` },
    { path: 'README.md', text: markdown },
    { path: entrypoint, text: program(`${name} ${version} (${platform})`), isExecutable: true },
  ];
}

function program(what: string): string {
  return `#!/bin/sh\necho "${what} of the demo fleet: it does nothing" >&2\nexit 1\n`;
}
