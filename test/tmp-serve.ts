import { startServer } from "./database.ts";
import { startWorld } from "./world.ts";
const stop = await startServer();
const world = await startWorld({ config: { baseUrl: "http://127.0.0.1:43117" } });
const lena = await world.user({ username: "lena" });
await world.article(lena, { title: "Growing tomatoes" });
await world.app.listen({ port: 43117, host: "127.0.0.1" });
setTimeout(async () => { await world.stop(); await stop(); process.exit(0); }, 60000);
