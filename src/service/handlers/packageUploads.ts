import type { HandlerContext } from '@connectrpc/connect';
import type { RequestValidator } from '../../core/validation/requestValidator';
import type { PageUrl } from '../accounts/signIn';
import { type ContentStores, storeContent } from '../blobs/storeContent';
import { alreadyExists, invalid } from '../errors';
import { newId } from '../store/identifiers';
import { hasPackageFile, insertPackageFile, noteVersion } from '../store/packages';
import type { RegistryItemWithOwner } from '../store/registry';
import { lockRow, type StoreAccess } from '../store/store';
import type { HandlerDependencies } from './handlerSupport';

/** Dependencies of the handlers that receive archives. */
export interface PackageDependencies extends HandlerDependencies, ContentStores {
  validator: RequestValidator;
  pageUrl: PageUrl;
}

/** Platform for an archive that runs on every platform. */
export const ANY_PLATFORM = 'any';

/** Description of an uploaded archive. */
export interface ArchiveDescription {
  version: string;
  platform: string;
  platformTags: readonly string[];
  /** The contents' description, as the JSON representation of PackageInfo. */
  info: string;
}

/**
 * Target item of an uploaded archive. The item is looked up both before and after the contents are
 * received.
 */
export interface ArchiveTarget {
  /**
   * Returns the item if it exists.
   * @throws ConnectError if the caller can't upload to it.
   */
  find: (access: StoreAccess) => Promise<RegistryItemWithOwner | undefined>;
  /**
   * Creates the item unless another upload has already created it. Runs in the transaction that
   * stores the archive. Afterward, `find` returns the item.
   */
  create: (access: StoreAccess) => Promise<unknown>;
  /**
   * Called in the same transaction after the archive has been stored. A failure rolls back the
   * transaction.
   */
  stored?: (access: StoreAccess) => Promise<void>;
  /** Name of the item, for messages to users. */
  name: string;
}

/**
 * Atomically stores an archive and returns its ID.
 * @throws InvalidArgument if the archive is empty, AlreadyExists if the version already has an
 *   archive for the platform, and any error from the target or the content stream.
 */
export async function storeArchive(
  dependencies: PackageDependencies,
  target: ArchiveTarget,
  archive: ArchiveDescription,
  content: AsyncIterable<Uint8Array>,
  { signal }: Pick<HandlerContext, 'signal'>,
): Promise<string> {
  const { store, now } = dependencies;
  const { version, platform } = archive;
  const present = await target.find(store);
  if (present && (await hasPackageFile(store, { item_id: present.id, version, platform }))) {
    throw createVersionTakenError(target, archive);
  }
  const id = newId();
  await storeContent(dependencies, notEmpty(content), signal, async (transaction, stored) => {
    const item = await lockedItem(transaction, target);
    const at = now();
    await noteVersion(transaction, {
      item_id: item.id,
      version,
      metadata: item.metadata,
      markdown_description: item.markdown_description,
      created_at: at,
    });
    const isNew = await insertPackageFile(transaction, {
      id,
      item_id: item.id,
      version,
      platform,
      platform_tags: JSON.stringify(archive.platformTags),
      info: archive.info,
      blob_hash: stored.hash,
      file_size: stored.size,
      uploaded_at: at,
    });
    if (!isNew) throw createVersionTakenError(target, archive);
    await target.stored?.(transaction);
  });
  return id;
}

/**
 * Returns the item and locks it until the transaction ends. Creates the item if it doesn't exist.
 */
async function lockedItem(
  access: StoreAccess,
  target: ArchiveTarget,
): Promise<RegistryItemWithOwner> {
  if ((await target.find(access)) === undefined) await target.create(access);
  const { id } = await getTargetItem(access, target);
  await lockRow(access, 'registry_items', id);
  return getTargetItem(access, target);
}

async function getTargetItem(
  access: StoreAccess,
  target: ArchiveTarget,
): Promise<RegistryItemWithOwner> {
  const item = await target.find(access);
  if (item === undefined) {
    throw new Error(`the registry item of ${target.name} was deleted during its transaction`);
  }
  return item;
}

async function* notEmpty(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isEmpty = true;
  for await (const chunk of content) {
    isEmpty &&= chunk.length === 0;
    yield chunk;
  }
  if (isEmpty) throw invalid('the archive is empty: send its bytes after the first message');
}

function createVersionTakenError(
  { name }: ArchiveTarget,
  { version, platform }: ArchiveDescription,
) {
  const whole = platform === ANY_PLATFORM ? '' : ` for ${platform}`;
  return alreadyExists(
    `version: ${version} of "${name}" is uploaded${whole} already: upload another version`,
  );
}
