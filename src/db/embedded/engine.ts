export async function openEngine(_: unknown): Promise<any> { throw new Error("later"); }
