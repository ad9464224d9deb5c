import * as vscode from 'vscode';
import type { Sleep } from '../../../base/clock';
import { FleetError } from '../../../core/api/errors';
import type { Logger } from '../../../core/ports';
import { CommandFeature } from '../../platform/commandFeature';
import type { Commands } from '../../platform/commandRegistry';
import { requireTrust } from '../../platform/requireTrust';
import { MANIFEST_TRIGGERS, ManifestCompletion } from './manifestCompletion';
import { ManifestFindings } from './manifestFindings';
import { ManifestFixes } from './manifestFixes';
import { ManifestHover } from './manifestHover';
import { ManifestLenses } from './manifestLenses';
import { ManifestProblems } from './manifestProblems';
import { MANIFEST_DOCUMENTS, ManifestReader } from './manifestReader';
import { ManifestsKey } from './manifestsKey';

interface ModuleManifestOptions {
  readonly commands: Commands;
  /** URI of the extension's folder. */
  readonly extensionUri: vscode.Uri;
  readonly sleep: Sleep;
  readonly log: Logger;
}

/** Module manifests in the workspace: their problems, quick fixes, and actions. */
export class ModuleManifestFeature extends CommandFeature {
  private readonly problems: ManifestProblems;

  constructor({ commands, extensionUri, sleep, log }: ModuleManifestOptions) {
    super(commands);
    const reader = new ManifestReader();
    const findings = new ManifestFindings(reader);
    this.register(new ManifestsKey(sleep, log));
    this.problems = this.register(new ManifestProblems(reader, findings, sleep, log));
    const { languages } = vscode;
    const documents = MANIFEST_DOCUMENTS;
    this.register(
      languages.registerCodeActionsProvider(documents, new ManifestFixes(reader, findings), {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    this.register(languages.registerCodeLensProvider(documents, new ManifestLenses(reader)));
    const schema = vscode.Uri.joinPath(extensionUri, 'media/schemas/moduleManifest.schema.json');
    this.register(languages.registerHoverProvider(documents, new ManifestHover(reader, schema)));
    this.register(
      languages.registerCompletionItemProvider(
        documents,
        new ManifestCompletion(reader),
        ...MANIFEST_TRIGGERS,
      ),
    );
    this.command('fleetwright.moduleManifest.makeExecutable', (uri, file) =>
      this.fixFile(uri, file, 'makeExecutable'),
    );
    this.command('fleetwright.moduleManifest.createScript', (uri, file) =>
      this.fixFile(uri, file, 'createScript'),
    );
  }

  private async fixFile(
    uri: object,
    file: string,
    how: 'makeExecutable' | 'createScript',
  ): Promise<void> {
    requireTrust(
      vscode.l10n.t(
        'This workspace is not trusted, so none of its files were changed. Trust it first if you know who wrote it.',
      ),
    );
    if (!(uri instanceof vscode.Uri) || typeof file !== 'string') {
      throw new FleetError(
        'invalid',
        vscode.l10n.t('This action is available for problems in a manifest.'),
      );
    }
    const fileFixes = await import('./mendFiles');
    await fileFixes[how](uri, file);
    this.problems.checkAll();
  }
}
