import assert from 'node:assert/strict';
import { commands, extensions, type Extension } from 'vscode';
import { commands as declared } from '../../src/manifest/commands';
import { views } from '../../src/manifest/contributions';

const extensionId = 'fleetwright.fleetwright';

/** Commands that VS Code itself registers for each view. */
const viewActions = ['focus', 'open', 'removeView', 'resetViewLocation', 'toggleVisibility'];

interface Manifest {
  contributes: { commands: { command: string }[] };
}

async function activated(): Promise<Extension<unknown>> {
  const extension = extensions.getExtension<unknown>(extensionId);
  assert.ok(extension, `${extensionId} is not installed`);
  await extension.activate();
  return extension;
}

describe('the extension in a real extension host', () => {
  it('activates', async () => {
    assert.equal((await activated()).isActive, true);
  });

  it('registers exactly the commands that the product declares', async () => {
    await activated();
    const ofViews = new Set(
      Object.values(views).flatMap((view) => viewActions.map((action) => `${view}.${action}`)),
    );
    const registered = (await commands.getCommands(true)).filter(
      (id) => id.startsWith('fleetwright.') && !ofViews.has(id),
    );
    assert.deepEqual(registered.sort(), Object.keys(declared).sort());
  });

  it('registers every command that its manifest contributes', async () => {
    const { contributes } = (await activated()).packageJSON as Manifest;
    const registered = new Set(await commands.getCommands(true));
    const missing = contributes.commands.filter(({ command }) => !registered.has(command));
    assert.deepEqual(missing, []);
  });
});
