import { requireContent } from '../data/boxes/trackedBox';
import { FleetError, toFleetError } from '../api/errors';
import { MAX_NAME_LENGTH, quoteName, toPromptName } from '../confirmations/confirmation';
import {
  formatItemAction,
  formatItemChange,
  type ItemChange,
  listItemMachines,
  MAX_CHECKED_MACHINES,
} from '../confirmations/itemChanges';
import type { BinaryItem } from '../model/binaryItem';
import { type BinaryDataId, binaryDataId, datasetId } from '../model/ids';
import { shortList } from '../model/displayText';
import { type AgentTool, type PlannedWrite, type ToolContext, writeTool } from './agentTool';
import { MAX_ROWS } from './toolAnswer';
import { id, integer, list, number, object, text, type ValueOf } from './toolSchema';

const CONSENT =
  'A person must confirm it first. The confirmation shows the number of items and their machines.';

const ITEM_IDS = list(
  id(),
  'IDs of images, point clouds, or files, from fleetwright_list_images.',
  MAX_ROWS,
);

/** Text that questions show completely. */
const NAME = text(undefined, MAX_NAME_LENGTH);

const TAGS = list(NAME, 'Tags.', 20);

const DATASET_ID = id('ID of the dataset.');

const CHANGED = object({
  done: integer('Number of changed items.'),
  unchanged: integer('Number of items that needed no change.'),
});

const ITEM_TOOL = {
  permission: 'write_robot_data_management',
  right: 'writeData',
  output: CHANGED,
} as const;

const addTags = writeTool({
  ...ITEM_TOOL,
  name: 'fleetwright_add_tags',
  title: 'Add Tags',
  description: `Adds tags to at most ${MAX_ROWS} captured items. ${CONSENT}`,
  input: object({ itemIds: ITEM_IDS, tags: TAGS }),
  plan: (input, context) => planChange(input.itemIds, toTags('addTags', input.tags), context),
});

const removeTags = writeTool({
  ...ITEM_TOOL,
  name: 'fleetwright_remove_tags',
  title: 'Remove Tags',
  description: `Removes tags from at most ${MAX_ROWS} captured items. ${CONSENT}`,
  input: object({ itemIds: ITEM_IDS, tags: TAGS }),
  plan: (input, context) => planChange(input.itemIds, toTags('removeTags', input.tags), context),
});

const addToDataset = writeTool({
  ...ITEM_TOOL,
  name: 'fleetwright_add_to_dataset',
  title: 'Add to Dataset',
  description: `Adds at most ${MAX_ROWS} captured items to a dataset of their organization. ${CONSENT}`,
  input: object({ itemIds: ITEM_IDS, datasetId: DATASET_ID }),
  plan: ({ itemIds, datasetId: dataset }, context) =>
    planMembership(itemIds, 'addToDataset', dataset, context),
});

const removeFromDataset = writeTool({
  ...ITEM_TOOL,
  name: 'fleetwright_remove_from_dataset',
  title: 'Remove from Dataset',
  description: `Removes at most ${MAX_ROWS} captured items from a dataset, without deleting them. ${CONSENT}`,
  input: object({ itemIds: ITEM_IDS, datasetId: DATASET_ID }),
  plan: ({ itemIds, datasetId: dataset }, context) =>
    planMembership(itemIds, 'removeFromDataset', dataset, context),
});

function toTags(kind: 'addTags' | 'removeTags', tags: readonly string[]): ItemChange {
  const trimmed = [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => tag !== '');
  if (trimmed.length === 0) throw new FleetError('invalid', 'tags must have at least one tag.');
  return { kind, tags: trimmed };
}

async function planMembership(
  itemIds: readonly string[],
  kind: 'addToDataset' | 'removeFromDataset',
  requestedDataset: string,
  context: ToolContext,
): Promise<PlannedWrite<ValueOf<typeof CHANGED>>> {
  const dataset = await context.stores.datasets.get(datasetId(requestedDataset), context.signal);
  return planChange(itemIds, { kind, dataset }, context, dataset.organizationId);
}

/** @param organization organization to which all items must belong; undefined for one of their own */
async function planChange(
  itemIds: readonly string[],
  change: ItemChange,
  context: ToolContext,
  organization?: string,
): Promise<PlannedWrite<ValueOf<typeof CHANGED>>> {
  const { stores } = context;
  const { l10n } = stores;
  const { items, owner, machines } = await readItems(itemIds, context, organization);
  const count = items.length === 1 ? l10n.t('1 item') : l10n.t('{0} items', String(items.length));
  const counted = l10n.t('{0} in {1}', count, quoteName(owner));
  const title = formatItemChange(change, counted, (tags) => tags.join(', '), l10n);
  return {
    targets: machines,
    confirmation: {
      question: `${title}?`,
      detail: formatMachines(machines, context),
      action: formatItemAction(change, l10n),
    },
    apply: async ({ signal }) => {
      const changed = items.filter((item) => needsChange(item, change)).map((item) => item.id);
      if (changed.length > 0) await applyChange(change, changed, stores, signal);
      return { data: { done: changed.length, unchanged: items.length - changed.length } };
    },
  };
}

function needsChange({ tags, datasetIds }: BinaryItem, change: ItemChange): boolean {
  switch (change.kind) {
    case 'addTags':
      return change.tags.some((tag) => !tags.includes(tag));
    case 'removeTags':
      return change.tags.some((tag) => tags.includes(tag));
    case 'addToDataset':
      return !datasetIds.includes(change.dataset.id);
    case 'removeFromDataset':
      return datasetIds.includes(change.dataset.id);
  }
}

/** Changes either all of the items or none. */
function applyChange(
  change: ItemChange,
  ids: readonly BinaryDataId[],
  { binaryData }: ToolContext['stores'],
  signal: AbortSignal,
): Promise<unknown> {
  switch (change.kind) {
    case 'addTags':
      return binaryData.addTags(ids, change.tags, signal);
    case 'removeTags':
      return binaryData.removeTags(ids, change.tags, signal);
    case 'addToDataset':
      return binaryData.addToDataset(change.dataset.id, ids, signal);
    case 'removeFromDataset':
      return binaryData.removeFromDataset(change.dataset.id, ids, signal);
  }
}

/** Reads the items of a change, and checks that they belong to one organization. */
async function readItems(
  itemIds: readonly string[],
  { stores, signal, connectionId }: ToolContext,
  organization?: string,
) {
  const unique = [...new Set(itemIds)];
  if (unique.length === 0) throw new FleetError('invalid', 'itemIds must have at least one ID.');
  const items = await stores.binaryData.get(unique.map(binaryDataId), signal);
  const owners = [...new Set(items.map(({ source }) => source.organizationId))];
  const [ownerId] = owners;
  if (ownerId === undefined || owners.length > 1) {
    throw new FleetError('invalid', 'The items must belong to one organization.');
  }
  if (organization !== undefined && ownerId !== organization) {
    throw new FleetError('invalid', 'The dataset belongs to another organization than the items.');
  }
  const machines = listItemMachines(connectionId, items);
  if (machines.length === MAX_CHECKED_MACHINES) {
    const limit = MAX_CHECKED_MACHINES - 1;
    throw new FleetError('invalid', `The items must come from at most ${limit} machines.`);
  }
  const { name: owner } = await stores.organizations.get(ownerId, { signal });
  return { items, owner, machines };
}

function formatMachines(
  machines: ReturnType<typeof listItemMachines>,
  { stores: { l10n } }: ToolContext,
): string {
  const { shown, more } = shortList(
    machines.map(({ name, machineId }) => quoteName(name || machineId)),
    10,
  );
  const names = [...shown, ...(more > 0 ? [l10n.t('{0} more', String(more))] : [])].join(', ');
  return l10n.t('Captured by: {0}', names);
}

const addBoxes = writeTool({
  name: 'fleetwright_add_boxes',
  title: 'Add Bounding Boxes',
  description: `Adds at most ${MAX_ROWS} labeled bounding boxes to an image. A person must confirm it first. The confirmation shows the labels and their numbers.`,
  permission: 'write_robot_data_management',
  right: 'writeData',
  input: object({
    imageId: id('ID of the image, from fleetwright_list_images.'),
    boxes: list(
      object({
        label: NAME,
        xMin: number('Left edge, from 0 to 1.'),
        yMin: number('Upper edge, from 0 to 1.'),
        xMax: number('Right edge, from 0 to 1.'),
        yMax: number('Lower edge, from 0 to 1.'),
      }),
      'Corners are fractions of the width and height.',
      MAX_ROWS,
    ),
  }),
  output: object({
    added: list(id(), 'IDs of the new boxes.'),
    failed: list(object({ label: text(), reason: text() })),
  }),
  rows: 'added',
  plan: async ({ imageId, boxes }, context) => {
    const { stores } = context;
    const { l10n } = stores;
    if (boxes.length === 0) throw new FleetError('invalid', 'boxes must have at least one box.');
    const contents = boxes.map((box) => requireContent(box, l10n));
    const { items, machines } = await readItems([imageId], context);
    const [image] = items as readonly [BinaryItem];
    if (!image.mimeType.startsWith('image/')) {
      throw new FleetError('invalid', 'Only images can have bounding boxes.');
    }
    return {
      targets: machines,
      confirmation: {
        question:
          contents.length === 1
            ? l10n.t('Add 1 bounding box to an image?')
            : l10n.t('Add {0} bounding boxes to an image?', String(contents.length)),
        detail: [
          formatMachines(machines, context),
          l10n.t('Image: {0}', toPromptName(image.id)),
          l10n.t('Labels: {0}', formatLabels(contents.map(({ label }) => label))),
        ].join('\n'),
        action: l10n.t('Add'),
      },
      apply: async ({ signal, reportProgress }) => {
        const added: string[] = [];
        const failed: { label: string; reason: string }[] = [];
        for (const content of contents) {
          if (signal.aborted) break;
          try {
            added.push(await stores.binaryData.addBox(image.id, content));
          } catch (error) {
            failed.push({ label: content.label, reason: toFleetError(error).message });
          }
          reportProgress(added.length + failed.length, contents.length);
        }
        return { data: { added, failed } };
      },
    };
  },
});

/** Formats labels with the numbers of their boxes, such as `"pallet" (2), "fork"`. */
function formatLabels(labels: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts]
    .map(([label, count]) => `${quoteName(label)}${count === 1 ? '' : ` (${count})`}`)
    .join(', ');
}

export const itemWriteTools: readonly AgentTool[] = [
  addTags,
  removeTags,
  addBoxes,
  addToDataset,
  removeFromDataset,
];
