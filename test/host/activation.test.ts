import assert from 'node:assert/strict';
import { commands, extensions } from 'vscode';

const extensionId = 'fleetwright.fleetwright';

interface Manifest {
  contributes: { commands: { command: string }[] };
}

describe('the extension in a real extension host', () => {
  it('activates', async () => {
    const extension = extensions.getExtension(extensionId);
    assert.ok(extension, `${extensionId} is not installed`);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command that its manifest contributes', async () => {
    const extension = extensions.getExtension<unknown>(extensionId);
    const { contributes } = extension?.packageJSON as Manifest;
    await extension?.activate();
    const registered = new Set(await commands.getCommands(true));
    const missing = contributes.commands.filter(({ command }) => !registered.has(command));
    assert.deepEqual(missing, []);
  });
});
