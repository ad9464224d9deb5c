import type { StoreAccess } from '../../src/service/store/store';

/** Records an item of the organization `acme` that refers to a blob. */
export async function insertItem(
  access: StoreAccess,
  id: string,
  { hash, size }: { hash: string; size: number },
): Promise<void> {
  await access
    .insertInto('binary_data')
    .values({
      id,
      organization_id: 'acme',
      location_id: '',
      robot_id: '',
      robot_name: '',
      part_id: '',
      part_name: '',
      component_type: '',
      component_kind: '',
      component_name: '',
      method_name: '',
      mime_type: '',
      file_name: '',
      file_ext: '',
      file_size: size,
      blob_hash: hash,
      requested_at: 1,
      received_at: 1,
      synced_at: 1,
      method_parameters: null,
      classifications: null,
      is_internal: 0,
      series_id: 0,
      is_tagged: 0,
    })
    .execute();
}
