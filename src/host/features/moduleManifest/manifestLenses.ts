import * as vscode from 'vscode';
import type { CommandId } from '../../../manifest/commands';
import { type ManifestReader, rangeAt } from './manifestReader';

/** Code lenses with actions above the module ID. */
export class ManifestLenses implements vscode.CodeLensProvider {
  constructor(private readonly reader: ManifestReader) {}

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const parsed = await this.reader.read(document);
    const { manifest } = parsed ?? {};
    if (!parsed || !manifest) return [];
    const range = rangeAt(document, parsed.getRange(['module_id'], true));
    const lens = (command: CommandId, title: string, tooltip: string): vscode.CodeLens =>
      new vscode.CodeLens(range, { command, title, tooltip, arguments: [document.uri] });
    if (manifest.moduleId.trim() === '') return [createLens(lens)];
    const build = lens(
      'fleetwright.module.build',
      `$(tools) ${vscode.l10n.t('Build')}`,
      vscode.l10n.t('Run the build defined in this manifest'),
    );
    const rest = [
      lens(
        'fleetwright.module.runLocally',
        `$(play) ${vscode.l10n.t('Run Locally')}`,
        vscode.l10n.t('Start the module on this computer and call its API'),
      ),
      lens(
        'fleetwright.module.uploadBuild',
        `$(cloud-upload) ${vscode.l10n.t('Upload')}`,
        vscode.l10n.t('Publish a build as a new version'),
      ),
      lens(
        'fleetwright.module.update',
        `$(sync) ${vscode.l10n.t('Update')}`,
        vscode.l10n.t(
          "Apply the manifest's metadata to the registry without uploading a new version",
        ),
      ),
      lens(
        'fleetwright.module.deploy',
        `$(rocket) ${vscode.l10n.t('Deploy to Machine…')}`,
        vscode.l10n.t("Add the module to a machine's config, or set its version there"),
      ),
    ];
    return manifest.build.build === undefined ? rest : [build, ...rest];
  }
}

function createLens(
  lens: (command: CommandId, title: string, tooltip: string) => vscode.CodeLens,
): vscode.CodeLens {
  return lens(
    'fleetwright.module.create',
    `$(add) ${vscode.l10n.t('Create')}`,
    vscode.l10n.t('Register the module to get an ID for it'),
  );
}
