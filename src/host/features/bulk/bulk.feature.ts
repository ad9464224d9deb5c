import * as vscode from 'vscode';
import { schemes } from '../../../manifest/contributions';
import { CommandFeature } from '../../platform/commands/commandRegistry';
import type { ApplyTools } from './apply/applyToMachines';
import { ChangePreviews } from './apply/changePreviews';
import { PatchEditors } from './apply/patchEditors';
import type { BulkDocuments } from '../../platform/documents/bulkDocuments';
import type { BulkTools } from './bulkTargets';

// Loaded when one of its commands first runs.
const applyToMachines = () => import('./apply/applyToMachines');
const deleteMany = () => import('./commands/deleteMany');
const restartMany = () => import('./commands/restartMany');
const setMetadata = () => import('./commands/setMetadata');

export interface BulkOptions extends BulkTools {
  readonly documents: BulkDocuments;
}

/**
 * Feature for bulk actions on many resources: deleting, restarting, setting metadata, and changing
 * configs.
 */
export class BulkFeature extends CommandFeature {
  constructor(options: BulkOptions) {
    super(options.commands);
    const { documents, reports } = options;
    this.register(vscode.workspace.registerTextDocumentContentProvider(schemes.bulk, documents));
    const previews = this.register(new ChangePreviews(documents));
    const patches = this.register(new PatchEditors());
    const tools: ApplyTools = { ...options, previews, patches };
    this.command('fleetwright.bulk.apply', async (...selection) =>
      (await applyToMachines()).applyToMachines(tools, selection),
    );
    this.command('fleetwright.bulk.applyChange', async (change) =>
      (await applyToMachines()).applyToMachines(tools, [], change),
    );
    this.command('fleetwright.bulk.applyPreview', () => previews.decide(true));
    this.command('fleetwright.bulk.cancelPreview', () => previews.decide(false));
    this.command('fleetwright.bulk.delete', async (...selection) =>
      (await deleteMany()).deleteMany(tools, selection),
    );
    this.command('fleetwright.bulk.restart', async (...selection) =>
      (await restartMany()).restartMany(tools, selection),
    );
    this.command('fleetwright.bulk.retryFailed', () => reports.retryInFront());
    this.command('fleetwright.bulk.setMetadata', async (...selection) =>
      (await setMetadata()).setMetadata(tools, selection),
    );
    this.command('fleetwright.bulk.usePatch', patches.use);
  }
}
