import * as vscode from 'vscode';
import { canceled, FleetError } from '../../../../core/api/errors';
import { oneByOne } from '../../../../core/bulk/oneByOne';
import type { FileSource } from '../../../../core/data/uploads/fileSource';
import { openReadings } from '../../../../core/data/uploads/readings/openReadings';
import type { ReadingsLayout } from '../../../../core/data/uploads/readings/readingRow';
import type { TimeChoice } from '../../../../core/data/uploads/readings/readingsOf';
import { uploadName } from '../../../../core/data/uploads/uploadName';
import { toDisplayText } from '../../../../core/model/toDisplayText';
import type { PartTarget } from '../../../../core/model/resourceTarget';
import { trackProgress } from '../../../platform/progress';
import { getClickedPart, getSelectedUris, search, type UploadArguments } from '../uploadFiles';
import { uploadPart } from '../uploadPart';
import type { UploadTools } from '../uploadTools';
import { configureReadings, inspected, nothingToStore } from './configureReadings';
import { readingsRun } from './readingsRun';
import { DEFAULT_METHOD, DEFAULT_TYPE } from './readingsSettings';
import { noTimeError, toUserError } from './readingsText';

const EXTENSIONS = ['csv', 'tsv', 'ndjson', 'jsonl'];

/** Imports table and JSON Lines files as readings, one file after the other. Throws `canceled`. */
export async function uploadReadingFiles(
  tools: UploadTools,
  given: UploadArguments,
): Promise<void> {
  const chosen = getSelectedUris(given);
  const uris = chosen.length > 0 ? chosen : await pickFiles();
  const part = await uploadPart(tools, { target: getClickedPart(given) });
  const { files, skipped } = await search(uris);
  const [first] = skipped;
  if (files.length === 0 && first) {
    throw new FleetError('notFound', `${first.name}: ${first.reason}`);
  }
  await oneByOne(files, (file) => uploadOne(tools, file, part));
}

async function uploadOne(tools: UploadTools, source: FileSource, part: PartTarget): Promise<void> {
  const layout = await opened(source);
  const [likeliest] = layout.times;
  if (!likeliest) throw noTimeError(source.path);
  const time: TimeChoice = { column: likeliest[0], form: likeliest[1], zone: 'utc' };
  const settings = await configureReadings(tools, source, layout, {
    ...{ part, time, tags: [] },
    component: uploadName(source.path).fileName,
    componentType: DEFAULT_TYPE,
    method: DEFAULT_METHOD,
    inspection: await inspected(source, layout, time),
  });
  if (settings.inspection.readings === 0) throw nothingToStore(source.path);
  await readingsRun(tools, source, layout, settings);
}

function opened(source: FileSource): Promise<ReadingsLayout> {
  if (!EXTENSIONS.some((extension) => source.path.toLowerCase().endsWith(`.${extension}`))) {
    throw new FleetError(
      'invalid',
      vscode.l10n.t(
        '"{0}" is neither a table (.csv, .tsv) nor JSON Lines (.ndjson, .jsonl).',
        toDisplayText(source.path),
      ),
    );
  }
  return trackProgress(vscode.l10n.t('Loading {0}', toDisplayText(source.path)), async (signal) => {
    try {
      return await openReadings(source, signal);
    } catch (error) {
      throw toUserError(error, source.path);
    }
  });
}

async function pickFiles(): Promise<readonly vscode.Uri[]> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Upload Readings'),
    openLabel: vscode.l10n.t('Select'),
    canSelectMany: true,
    filters: { [vscode.l10n.t('Tables and JSON Lines')]: EXTENSIONS },
    ...(folder && { defaultUri: folder.uri }),
  });
  if (!chosen || chosen.length === 0) throw canceled();
  return chosen;
}
