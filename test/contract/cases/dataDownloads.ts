import assert from 'node:assert/strict';
import { capture, type Lab, newLab } from '../dataFixture';
import type { FleetUnderTest } from '../fleetFixture';
import { role } from '../permissions/permissionRequests';

export function dataDownloadContract(fleet: FleetUnderTest): void {
  describe('contents of binary data over HTTP', () => {
    const newItem = async (): Promise<{ lab: Lab; id: string; uri: string }> => {
      const lab = await newLab(fleet());
      const id = await capture(lab, 1, { binary: Buffer.from('0123456789'), fileName: 'å b' });
      const { data } = await lab.data.binaryDataByIDs({ binaryDataIds: [id] });
      return { lab, id, uri: data[0]?.metadata?.uri ?? '' };
    };
    const bearer = ({ token }: Lab) => ({ authorization: `Bearer ${token}` });

    it('are served at metadata.uri for a bearer token and for an API key', async () => {
      const { lab, id, uri } = await newItem();
      assert.equal(uri, `${fleet().deployment.url}/binary-data/${id}`);
      const response = await fetch(uri, { headers: bearer(lab) });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'image/jpeg');
      assert.equal(response.headers.get('content-length'), '10');
      assert.match(response.headers.get('content-disposition') ?? '', /''%C3%A5%20b\.jpg$/);
      assert.equal(await response.text(), '0123456789');
      const key = await fleet().owner.createKey({
        authorizations: [role('robot_operator', lab.machineId)],
      });
      const byKey = await fetch(uri, { headers: { key_id: key.id, key: key.key } });
      assert.equal(await byKey.text(), '0123456789');
      const head = await fetch(uri, { method: 'HEAD', headers: bearer(lab) });
      assert.equal(head.headers.get('content-length'), '10');
    });

    it('are served even if their name is too long for a header', async () => {
      const lab = await newLab(fleet());
      const id = await capture(lab, 1, {
        fileName: '你'.repeat(1000),
        fileExtension: `.${'你'.repeat(990)}😀.jpg`,
      });
      const uri = `${fleet().deployment.url}/binary-data/${id}`;
      const response = await fetch(uri, { headers: bearer(lab) });
      assert.equal(await response.text(), 'x');
      const disposition = response.headers.get('content-disposition') ?? '';
      assert.ok(disposition.length < 2500, String(disposition.length));
      assert.match(disposition, /''%E4%BD%A0.*%E4%BD%A0%F0%9F%98%80\.jpg$/);
    });

    it('are served in ranges', async () => {
      const { lab, uri } = await newItem();
      const get = async (range: string, more: Record<string, string> = {}) => {
        const response = await fetch(uri, { headers: { ...bearer(lab), range, ...more } });
        const { headers, status } = response;
        return [status, headers.get('content-range'), await response.text(), headers.get('etag')];
      };
      const [, , , etag] = await get('bytes=0-0');
      assert.deepEqual(await get('bytes=2-4'), [206, 'bytes 2-4/10', '234', etag]);
      assert.deepEqual(await get('bytes=8-'), [206, 'bytes 8-9/10', '89', etag]);
      assert.deepEqual(await get('bytes=-3'), [206, 'bytes 7-9/10', '789', etag]);
      assert.deepEqual(await get('bytes=-100'), [206, 'bytes 0-9/10', '0123456789', etag]);
      assert.deepEqual(await get('bytes=5-100'), [206, 'bytes 5-9/10', '56789', etag]);
      assert.deepEqual(await get('bytes=0-1,3-4'), [200, null, '0123456789', etag]);
      assert.deepEqual(await get('bytes=4-2'), [200, null, '0123456789', etag]);
      assert.deepEqual((await get('bytes=10-')).slice(0, 2), [416, 'bytes */10']);
      const sameOnly = { 'if-range': String(etag) };
      assert.deepEqual((await get('bytes=1-1', sameOnly)).slice(0, 3), [206, 'bytes 1-1/10', '1']);
      assert.equal((await get('bytes=1-1', { 'if-range': '"other"' }))[0], 200);
    });

    it('are denied to others without revealing what exists', async () => {
      const { lab, id, uri } = await newItem();
      const stranger = await newLab(fleet());
      const status = async (init: RequestInit, at = uri) => (await fetch(at, init)).status;
      assert.equal(await status({}), 401);
      assert.equal(await status({ headers: { key_id: id, key: 'wrong' } }), 403);
      assert.equal(await status({ headers: bearer(stranger) }), 404);
      assert.equal(await status({ headers: bearer(lab) }, `${uri}x`), 404);
      assert.equal(await status({ headers: bearer(lab) }, uri.replace(id, '..%2f..%2fx')), 404);
      assert.equal(await status({ method: 'PUT', headers: bearer(lab) }), 405);
      await lab.data.deleteBinaryDataByIDs({ binaryDataIds: [id] });
      assert.equal(await status({ headers: bearer(lab) }), 404);
    });
  });
}
