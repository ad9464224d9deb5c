import { queryByIds } from './identifiers';
import type { RegistryItemRow } from './registrySchema';
import type { StoreAccess } from './store';

/** Registry item with the namespace of the organization that owns it. */
export type RegistryItemWithOwner = RegistryItemRow & { public_namespace: string | null };

/** Numeric visibilities of items in the wire protocol. */
const PUBLIC_ITEM = 2;

/**
 * Adds an item.
 * @returns false, without changes, if the organization already has an item with that name.
 */
export async function insertRegistryItem(
  access: StoreAccess,
  item: RegistryItemRow,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await access
    .insertInto('registry_items')
    .values(item)
    .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

function selectItems(access: StoreAccess) {
  return access
    .selectFrom('registry_items as i')
    .innerJoin('organizations as o', 'o.id', 'i.organization_id')
    .selectAll('i')
    .select('o.public_namespace');
}

/**
 * Returns the item named `owner:name`.
 * @param owner an organization's ID or public namespace. IDs take precedence, so no organization
 *   can take over another organization's items by choosing a namespace that looks like the other
 *   organization's ID.
 */
export async function findRegistryItem(
  access: StoreAccess,
  owner: string,
  name: string,
): Promise<RegistryItemWithOwner | undefined> {
  const organizations = await access
    .selectFrom('organizations')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', owner), eb('public_namespace', '=', owner)]))
    .execute();
  const organization = organizations.find(({ id }) => id === owner) ?? organizations[0];
  return selectItems(access)
    .where('i.organization_id', '=', organization?.id ?? '')
    .where('i.name', '=', name)
    .executeTakeFirst();
}

/**
 * An item's name, which consists of the item's own name and its organization's ID or public
 * namespace.
 */
export interface RegistryItemName {
  owner: string;
  name: string;
}

/**
 * Finds items by name, like `findRegistryItem`, in two queries for any number of names.
 * @returns a function that returns the item with a given name
 */
export async function findRegistryItems(
  access: StoreAccess,
  names: readonly RegistryItemName[],
): Promise<(name: RegistryItemName) => RegistryItemWithOwner | undefined> {
  const owners = names.map(({ owner }) => owner);
  const organizations = await queryByIds(owners, (batch) =>
    access
      .selectFrom('organizations')
      .select(['id', 'public_namespace'])
      .where((eb) => eb.or([eb('id', 'in', batch), eb('public_namespace', 'in', batch)]))
      .execute(),
  );
  const itemNames = names.map(({ name }) => name);
  const organizationIds = organizations.map(({ id }) => id);
  const items = await queryByIds(organizationIds, (ids) =>
    queryByIds(itemNames, (batch) =>
      selectItems(access)
        .where('i.organization_id', 'in', ids)
        .where('i.name', 'in', batch)
        .execute(),
    ),
  );
  return ({ owner, name }) => {
    const organization =
      organizations.find(({ id }) => id === owner) ??
      organizations.find((one) => one.public_namespace === owner);
    return items.find((item) => item.organization_id === organization?.id && item.name === name);
  };
}

/** Returns an item by the ID of its row. */
export async function findRegistryItemById(
  access: StoreAccess,
  id: string,
): Promise<RegistryItemWithOwner | undefined> {
  return selectItems(access).where('i.id', '=', id).executeTakeFirst();
}

/** Criteria for the items to list. */
export interface RegistryItemQuery {
  /** Organization whose items are listed. If absent, items from all organizations are listed. */
  organizationId?: string | undefined;
  /**
   * Organizations for which the caller can view all items. For all other organizations, only public
   * items are listed.
   */
  readableOrganizationIds: readonly string[];
  type?: number;
  /** Item after which the list begins, in the order of the list. */
  after?: Pick<RegistryItemRow, 'id' | 'name'> | undefined;
}

/** Returns the items that the caller can view, sorted by name. */
export async function listRegistryItems(
  access: StoreAccess,
  { organizationId, readableOrganizationIds, type, after }: RegistryItemQuery,
): Promise<RegistryItemWithOwner[]> {
  return selectItems(access)
    .where((eb) =>
      eb.or([
        eb('i.visibility', '=', PUBLIC_ITEM),
        eb('i.organization_id', 'in', ['', ...readableOrganizationIds]),
      ]),
    )
    .$if(organizationId !== undefined, (query) =>
      query.where('i.organization_id', '=', organizationId ?? ''),
    )
    .$if(type !== undefined, (query) => query.where('i.type', '=', type ?? 0))
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('i.name', '>', after?.name ?? ''),
          eb.and([eb('i.name', '=', after?.name ?? ''), eb('i.id', '>', after?.id ?? '')]),
        ]),
      ),
    )
    .orderBy('i.name')
    .orderBy('i.id')
    .execute();
}

/** Columns that can be written when an item is changed. */
export type RegistryItemChanges = Partial<
  Pick<
    RegistryItemRow,
    | 'visibility'
    | 'status'
    | 'url'
    | 'description'
    | 'markdown_description'
    | 'metadata'
    | 'billing'
    | 'updated_at'
  >
>;

export async function updateRegistryItem(
  access: StoreAccess,
  id: string,
  changes: RegistryItemChanges,
): Promise<void> {
  await access.updateTable('registry_items').set(changes).where('id', '=', id).execute();
}

export async function deleteRegistryItem(access: StoreAccess, id: string): Promise<void> {
  await access.deleteFrom('registry_items').where('id', '=', id).execute();
}

/**
 * Replaces a module's apps. Must run in a transaction.
 * @returns the first name that another module in the organization already uses; undefined if all
 *   apps were written.
 */
export async function replaceApps(
  access: StoreAccess,
  item: Pick<RegistryItemRow, 'id' | 'organization_id'>,
  names: readonly string[],
): Promise<string | undefined> {
  await access.deleteFrom('registry_apps').where('item_id', '=', item.id).execute();
  for (const name of names) {
    const { numInsertedOrUpdatedRows } = await access
      .insertInto('registry_apps')
      .values({ organization_id: item.organization_id, name, item_id: item.id })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) return name;
  }
  return undefined;
}

/**
 * Returns the module that contains an organization's app. The organization is identified by its
 * namespace.
 */
export async function findAppModule(
  access: StoreAccess,
  publicNamespace: string,
  appName: string,
): Promise<RegistryItemWithOwner | undefined> {
  return selectItems(access)
    .innerJoin('registry_apps as a', 'a.item_id', 'i.id')
    .where('o.public_namespace', '=', publicNamespace)
    .where('a.name', '=', appName)
    .executeTakeFirst();
}
