import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface SmallExtension {
  /** Publisher and name, separated by a dot. */
  readonly id: string;
  /** JavaScript expression that activation evaluates and exports; by default, it does nothing. */
  readonly activate?: string;
  readonly contributes?: Readonly<Record<string, unknown>>;
}

/** Writes an extension without dependencies, for tests and benchmarks. */
export function writeSmallExtension(
  folder: string,
  { id, activate = 'undefined', contributes = {} }: SmallExtension,
): void {
  const [publisher, name] = id.split('.');
  const manifest = {
    publisher,
    name,
    version: '0.0.1',
    main: './main.js',
    activationEvents: [],
    engines: { vscode: '^1.104.0' },
    contributes,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'main.js'), `exports.activate = () => ${activate};\n`);
  writeFileSync(join(folder, 'LICENSE'), '');
}
