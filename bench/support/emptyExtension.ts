import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes an extension that does nothing.
 *
 * @param id publisher and name, separated by a dot
 */
export function writeEmptyExtension(folder: string, id: string): void {
  const [publisher, name] = id.split('.');
  const manifest = {
    publisher,
    name,
    version: '0.0.1',
    main: './main.js',
    activationEvents: [],
    engines: { vscode: '^1.100.0' },
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'main.js'), 'exports.activate = () => undefined;\n');
  writeFileSync(join(folder, 'LICENSE'), '');
}
