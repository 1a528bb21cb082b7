import { statfsSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'
import { adviceForRoom, hasRoom, makeRoom, megabytes, NO_ROOM, roomAt } from './failure.ts'

// The real free space changes at any time, so the tests set it.
vi.mock('node:fs', async (original) => ({ ...(await original<object>()), statfsSync: vi.fn() }))

const statfs = vi.mocked(statfsSync) as unknown as ReturnType<typeof vi.fn>
afterEach(() => void statfs.mockReset())

const free = (bavail: number, bsize: number) => statfs.mockReturnValue({ bavail, bsize })
const silent = () =>
  statfs.mockImplementation(() => {
    throw new Error('ENOSYS')
  })

test('free space is reported in megabytes, including space that will be freed', () => {
  free(3_000, 4_096)
  expect(roomAt('/data')).toBe('12.3 MB are free there')
  expect(roomAt('/data', 1_000_000)).toBe('13.3 MB are free there')
  expect(statfs).toHaveBeenCalledWith('/data')
})

test("a hint names the room of the file's folder, in brackets", () => {
  free(3_000, 4_096)
  expect(makeRoom('/data/state/state.db')).toBe('Make room on that disk (12.3 MB are free there)')
  expect(statfs).toHaveBeenCalledWith('/data/state')
})

test('hasRoom is true up to exactly the number of free bytes', () => {
  free(10, 512)
  expect([5_119, 5_120, 5_121].map((bytes) => hasRoom('/data', bytes))).toEqual([true, true, false])
  expect(statfs).toHaveBeenCalledWith('/data')
})

test('if the system does not report free space, nothing is reported and nothing is refused', () => {
  silent()
  expect(roomAt('/data')).toBe('')
  expect(makeRoom('/data/state.db')).toBe('Make room on that disk')
  expect(hasRoom('/data', 1e15)).toBe(true)
})

test('a megabyte is a million bytes', () => {
  expect([0, 50_000, 1_000_000, 2_560_000_000].map(megabytes)).toEqual(['0.0 MB', '0.1 MB', '1.0 MB', '2560.0 MB'])
})

test('each code that means a lack of room has an advice; other codes have no advice', () => {
  free(3_000, 4_096)
  expect(Object.keys(NO_ROOM).map((code) => adviceForRoom(code, '/data/state.db'))).toEqual([
    'Make room on that disk (12.3 MB are free there)',
    'Make room on that disk (12.3 MB are free there)',
    'Raise the limit for the size of a file (ulimit -f)',
  ])
  expect(adviceForRoom('ENOSPC', undefined)).toBe('Make room on that disk')
  expect(adviceForRoom('EFBIG', undefined, 'win32')).toBe(
    'Use a disk that stores larger files (FAT32 stores files of up to 4 GB)',
  )
  expect(['EACCES', 'toString'].map((code) => adviceForRoom(code, '/data/state.db'))).toEqual([undefined, undefined])
})
