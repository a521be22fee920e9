// Generated from openapi.json by `npm run generate`.

export interface paths {
    "/api/articles/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search articles
         * @description Full-text search in published articles, best match first. With `top`, most popular first; without `q`, all articles, hottest first. The `next` link leads to the next page.
         */
        get: operations["getArticles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/articles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List published articles
         * @description Published articles, hottest first. Filters combine. The first of `sort`, `collection_id`, `top`, `state`, `tags` or `tags_exclude`, `tag`, `username` that is given determines the order.
         */
        get: operations["listArticles"];
        put?: never;
        /**
         * Create an article
         * @description Creates a draft, or publishes the article if `published` or the front matter says so. Unknown attributes are ignored, and named in `warnings`.
         */
        post: operations["createArticle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/articles/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List published articles, newest first
         * @description The same as the list of published articles, but always newest first.
         */
        get: operations["listLatestArticles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/articles/by_path": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an article by its path in a parameter
         * @description A published article, or with a key also an unpublished one that the caller may read: as its author, as an admin of its organization or as an admin of the site.
         */
        get: operations["getArticleByPath"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/articles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an article by its id or slug
         * @description A published article, or with a key also an unpublished one that the caller may read: as its author, as an admin of its organization or as an admin of the site.
         */
        get: operations["getArticle"];
        /**
         * Update an article
         * @description Absent attributes stay as they are. `published` publishes or unpublishes; if only admins may post, others can't publish (401). If the front matter has a title, the front matter takes precedence over all attributes. PATCH does the same.
         */
        put: operations["updateArticle"];
        post?: never;
        /**
         * Delete an article
         * @description For its author and admins. The article disappears at once; an operator can restore it for 30 days.
         */
        delete: operations["deleteArticle"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/articles/{username}/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an article by its path
         * @description A published article, or with a key also an unpublished one that the caller may read: as its author, as an admin of its organization or as an admin of the site.
         */
        get: operations["getArticleByUsernameAndSlug"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/articles/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's published articles
         * @description Articles with their bodies as written: first those without a publication date, then newest first. Only the list of all articles includes scheduled ones.
         */
        get: operations["listMyArticles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/articles/me/published": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's published articles (alias)
         * @description Articles with their bodies as written: first those without a publication date, then newest first. Only the list of all articles includes scheduled ones.
         */
        get: operations["listMyPublishedArticles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/articles/me/unpublished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's drafts and unpublished articles
         * @description Articles with their bodies as written: first those without a publication date, then newest first. Only the list of all articles includes scheduled ones.
         */
        get: operations["listMyUnpublishedArticles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/articles/me/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all articles of the caller
         * @description Articles with their bodies as written: first those without a publication date, then newest first. Only the list of all articles includes scheduled ones.
         */
        get: operations["listAllMyArticles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/articles/{id}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Unpublish an article
         * @description For its author, moderators and admins. The article can be published again and keeps its path and first publication date; one that staff unpublished only by an admin, until when its author gets a 422. A scheduled article becomes a draft. PATCH does the same.
         */
        put: operations["unpublishArticle"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List articles with a video
         * @description Published articles with a video and a preview image, hottest first, except those with a score of -4 or less.
         */
        get: operations["listVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comments of an article or episode
         * @description Complete threads, oldest first on every level. Trees have at most 50 levels: deeper replies become children of the last level. A response has at most 25,000 comments, from the oldest of the requested threads; if there are more, `Link` names the first or the next page, which may be smaller. An unpublished article or episode is 404.
         */
        get: operations["getComments"];
        put?: never;
        /**
         * Write a comment
         * @description Comments on a published article or episode, or answers a comment on it. At most 10 comments in 30 seconds, and 5 in 5 minutes within 3 days of registering on the site.
         */
        post: operations["createComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/comments/{id_code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a comment with its replies
         * @description Any comment, whether it starts a thread or is a reply. At most the 25,000 oldest replies are included.
         */
        get: operations["getComment"];
        /**
         * Edit a comment
         * @description For its author. Comments of other users and deleted ones are 404. PATCH does the same.
         */
        put: operations["updateComment"];
        post?: never;
        /**
         * Delete a comment
         * @description For its author, moderators and admins. The replies stay.
         */
        delete: operations["deleteComment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/podcast_episodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List podcast episodes
         * @description Available episodes of published podcasts, newest first. A `username` without any is 404.
         */
        get: operations["listPodcastEpisodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller's profile
         * @description The user who owns the key.
         */
        get: operations["getUserMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/by_username": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user by username
         * @description The user with this username, in any case.
         */
        get: operations["getUserByUsername"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a user by id
         * @description The user with this id. Any other text is 404.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Suspend a user
         * @description Refuses the user's keys and sessions for good. For moderators, who can't act on moderators and admins, and for admins, but not on themselves: a 422 says so. PATCH does the same.
         */
        put: operations["suspendUser"];
        post?: never;
        /**
         * Lift a user's suspension
         * @description What marking the account as spam has hidden comes back. For moderators, who can't act on moderators and admins, and for admins, but not on themselves: a 422 says so.
         */
        delete: operations["unsuspendUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/spam": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Mark a user as spam
         * @description Suspends the user for good, and hides all that the user wrote. For moderators, who can't act on moderators and admins, and for admins, but not on themselves: a 422 says so. PATCH does the same.
         */
        put: operations["markUserAsSpam"];
        post?: never;
        /**
         * Take back that a user is spam
         * @description Lifts the suspension, and shows what the mark has hidden. For moderators, who can't act on moderators and admins, and for admins, but not on themselves: a 422 says so.
         */
        delete: operations["unmarkUserAsSpam"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Unpublish all that a user wrote
         * @description Unpublishes the user's articles and listings, and hides the comments. For moderators, who can't act on moderators and admins, and for admins, but not on themselves: a 422 says so. PATCH does the same.
         */
        put: operations["unpublishUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organizations
         * @description All organizations, ordered by id.
         */
        get: operations["listOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an organization
         * @description An organization by its username, in any case, or its id.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{username}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an organization's members
         * @description Members and admins of the organization, ordered by id.
         */
        get: operations["getOrganizationUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{username}/articles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an organization's articles
         * @description Articles published for the organization, newest first.
         */
        get: operations["getOrganizationArticles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/followers/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's followers
         * @description Users who follow the caller, newest first, except suspended ones.
         */
        get: operations["getFollowers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/follows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's follows
         * @description The users, organizations and tags that the caller follows, newest first.
         */
        get: operations["getFollows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/follows/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's followed tags
         * @description All followed tags, highest points first, then by name.
         */
        get: operations["getFollowedTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/follows/{kind}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Follow a user, an organization or a tag
         * @description No effect if the caller follows it already. An alias stands for its tag. PATCH does the same.
         */
        put: operations["follow"];
        post?: never;
        /**
         * Unfollow a user, an organization or a tag
         * @description No effect if the caller doesn't follow it.
         */
        delete: operations["unfollow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/readinglist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's saved articles
         * @description Articles that the caller has saved, most recently saved first, except archived and unpublished ones.
         */
        get: operations["getReadinglist"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/readinglist/{article_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save an article
         * @description Adds a published article to the reading list, or restores it from the archive. PATCH does the same.
         */
        put: operations["saveArticle"];
        post?: never;
        /**
         * Remove a saved article
         * @description Removes an article from the reading list and its archive.
         */
        delete: operations["unsaveArticle"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's notifications
         * @description Newest first. Reading this list doesn't mark them as read.
         */
        get: operations["getNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags
         * @description All tags, most used first, without aliases.
         */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/listings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List published listings
         * @description Published listings that haven't expired, most recently created or bumped first. An unknown category has none.
         */
        get: operations["listListings"];
        put?: never;
        /**
         * Create a listing
         * @description Publishes the listing, unless `action` is `draft`. Members of an organization can create listings for it. The wrapper may also be named `classified_listing`.
         */
        post: operations["createListing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/listings/category/{category}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List published listings in a category
         * @description The same as the list of all listings with `category`. An unknown category has none.
         */
        get: operations["listListingsByCategory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/organizations/{username}/listings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an organization's published listings
         * @description The organization's published listings that haven't expired, most recently created or bumped first.
         */
        get: operations["listOrganizationListings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/listings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a listing
         * @description A published listing is public, also after it has expired. An unpublished one needs the key of its author or of an admin of its organization; to others it is a 404.
         */
        get: operations["getListing"];
        /**
         * Update a listing
         * @description For its author and the admins of its organization. Absent and null attributes stay as they are. `action` publishes, unpublishes or bumps the listing, and ignores the other attributes. PATCH does the same.
         */
        put: operations["updateListing"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/profile_images/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the profile image of a user or organization
         * @description The profile image. Without one, a generated pattern.
         */
        get: operations["getProfileImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get figures of all time
         * @description For the published articles of the caller or of an organization of the caller. View counts imported from another site are not included.
         */
        get: operations["getAnalyticsTotals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/historical": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get figures for each day of a range
         * @description For the published articles of the caller or of an organization of the caller. View counts imported from another site are not included.
         */
        get: operations["getAnalyticsHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/past_day": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get figures for yesterday and today
         * @description For the published articles of the caller or of an organization of the caller. View counts imported from another site are not included.
         */
        get: operations["getAnalyticsOfPastDay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/referrers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the origins of views
         * @description For the published articles of the caller or of an organization of the caller. View counts imported from another site are not included.
         */
        get: operations["getAnalyticsReferrers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/image_uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload an image
         * @description Stores an image for use in articles and returns its URL. The image is re-encoded, without metadata and file name.
         */
        post: operations["uploadImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's webhook endpoints
         * @description All endpoints of the caller, oldest first, without their secrets.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description The response contains the `secret` that signs deliveries; it can't be read again. A user has at most 10 endpoints.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description An endpoint of the caller, without its secret. Endpoints of other users are 404.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Deletes the endpoint and its deliveries, including pending ones.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries to a webhook endpoint
         * @description Deliveries of the last 30 days, newest first.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook endpoint
         * @description For 24 hours, deliveries are signed with both the old and the new secret. At most five rotations in 24 hours.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery
         * @description Sends the delivery again now, whatever its state, with the same `webhook-id` and body. A disabled endpoint is 422.
         */
        post: operations["retryWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook endpoint
         * @description The type of the event is `ping`; its data is the endpoint without the secret.
         */
        post: operations["pingWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a webhook endpoint
         * @description Enables a disabled endpoint and sends the events that it has missed, as far as they are still stored. No effect on an enabled endpoint.
         */
        post: operations["enableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the index of the API
         * @description The URLs that a client needs first, also of a private community.
         */
        get: operations["getIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/instance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the community
         * @description Name, version and visibility of the community, also of a private one.
         */
        get: operations["getInstance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health_checks/app": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the app
         * @description For monitors. Requests from other computers need the `health-check-token` header.
         */
        get: operations["checkHealthOfApp"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health_checks/database": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the database
         * @description For monitors. Requests from other computers need the `health-check-token` header.
         */
        get: operations["checkHealthOfDatabase"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health_checks/cache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the cache
         * @description For monitors. Requests from other computers need the `health-check-token` header.
         */
        get: operations["checkHealthOfCache"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Whether the process runs. For orchestrators; needs no token.
         */
        get: operations["checkLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Whether the server can serve requests: its database is reachable and migrated, and search works. With `database` it serves anonymous reads alone. For orchestrators; needs no token.
         */
        get: operations["checkReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the community's settings
         * @description All settings by name, including those with default values. For admins.
         */
        get: operations["getAdminConfig"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics
         * @description Metrics of the server in the Prometheus text format: requests, event loop, memory, connections and queues. Requires the server's METRICS_TOKEN or, if it isn't set, a request from the same computer.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The figures of each day, by date. */
        AnalyticsHistory: {
            [key: string]: components["schemas"]["AnalyticsTotals"];
        };
        /** @description Where readers came from. */
        AnalyticsReferrers: {
            /** @description The hosts that readers came from, at most 20, most views first. */
            domains: {
                /** @description The host. Null for direct and unknown visits; `other hosts` for those beyond the first 50 of an article and day. */
                domain: string | null;
                /** @description The number of views. */
                count: number;
            }[];
        };
        /** @description Figures of a period. */
        AnalyticsTotals: {
            /** @description Comments on the articles. */
            comments: {
                /** @description The number of comments that aren't deleted and have a score above 0. */
                total: number;
            };
            /** @description New followers. */
            follows: {
                /** @description The number of follows of the user or organization, even for a single article. */
                total: number;
            };
            /** @description Reactions to the articles. */
            reactions: {
                /** @description The number of reactions of all kinds. */
                total: number;
                /** @description The number of likes. */
                like: number;
                /** @description How often the articles were saved to a reading list. */
                readinglist: number;
            };
            /** @description Views of the articles. */
            page_views: {
                /** @description The number of views. */
                total: number;
                /** @description The average reading time of signed-in readers, rounded. Other views have no reading time. */
                average_read_time_in_seconds: number;
                /** @description The average reading time multiplied by the number of views. */
                total_read_time_in_seconds: number;
            };
        };
        /** @description The reason why a request failed. */
        ApiError: {
            /** @description The reason, as a sentence. */
            error: string;
            /** @description The HTTP status code. */
            status: number;
            /** @description More about the reason, as a sentence, if `error` is a fixed text. */
            detail?: string;
        };
        /** @description The entry points of the API. */
        ApiIndex: {
            /**
             * Format: uri
             * @description The page to read and try the API.
             */
            docs: string;
            /**
             * Format: uri
             * @description The OpenAPI document.
             */
            document: string;
            /**
             * Format: uri
             * @description The article search; takes `q`.
             */
            search: string;
            /**
             * Format: uri
             * @description Name, version and visibility of the community.
             */
            instance: string;
        };
        /** @description The result of a successful check of the app. */
        AppHealth: {
            /**
             * @description The result, as a sentence.
             * @enum {string}
             */
            message: "App is up!";
        };
        /** @description An article with its body. */
        Article: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "article";
            /** @description The id of the article. */
            id: number;
            /** @description The title. */
            title: string;
            /** @description A summary in one or two sentences. */
            description: string;
            /** @description The publication date for display: `Mar 2`, or `Mar 2 '24` in another year. Null when unpublished. */
            readable_publish_date: string | null;
            /** @description The article's part of its path. */
            slug: string;
            /** @description `/{username}/{slug}`, with the username of the organization or else of the author. */
            path: string;
            /**
             * Format: uri
             * @description The URL of the article.
             */
            url: string;
            /** @description The number of comments. */
            comments_count: number;
            /** @description The number of public reactions. */
            public_reactions_count: number;
            /** @description The same as `public_reactions_count`. */
            positive_reactions_count: number;
            /** @description The id of the series that the article belongs to. */
            collection_id: number | null;
            /** @description `crossposted_at` where it is set, otherwise `published_at`. Empty when unpublished. */
            published_timestamp: string;
            /**
             * Format: uri
             * @description The URL of the cover image.
             */
            cover_image: string | null;
            /**
             * Format: uri
             * @description The URL of the image for link previews: the cover image, or a generated card.
             */
            social_image: string;
            /**
             * Format: uri
             * @description The URL of the original; the article's own unless its author has set another.
             */
            canonical_url: string;
            /**
             * Format: date-time
             * @description When the article was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its author last changed the published article.
             */
            edited_at: string | null;
            /**
             * Format: date-time
             * @description When the original was published, for articles imported from a feed.
             */
            crossposted_at: string | null;
            /**
             * Format: date-time
             * @description When the article was published. Null when unpublished.
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When the latest comment was written; before the first one, `published_at`.
             */
            last_comment_at: string;
            /** @description The estimated reading time in minutes. */
            reading_time_minutes: number;
            /** @description The tags, separated by a comma and a space. In lists this is the array. */
            tag_list: string;
            /** @description The tags. In lists this is the string. */
            tags: string[];
            /** @description The body as sanitised HTML. */
            body_html: string;
            /** @description The body as written: Markdown with its front matter, if any. */
            body_markdown: string;
            user: components["schemas"]["Author"];
            organization?: components["schemas"]["Owner"];
            flare_tag?: components["schemas"]["FlareTag"];
        };
        /** @description A change of an article. */
        ArticleChange: {
            article: components["schemas"]["ArticleChangeAttributes"];
        };
        /** @description The attributes to change; absent ones stay as they are. */
        ArticleChangeAttributes: {
            /** @description The title. A new article needs one, here or in the front matter, which takes precedence. */
            title?: string;
            /** @description The body as Markdown, at most 800 KiB, with optional front matter, which takes precedence over the attributes. Stored and returned byte for byte. */
            body_markdown?: string;
            /** @description Whether the article is published; by default, a new one is a draft. The front matter takes precedence. */
            published?: boolean;
            /** @description A summary. Taken from the body when empty, and in a new article also when absent. */
            description?: string;
            /** @description At most 4 tags of letters and digits: an array, which may be empty, or a string separated by commas. */
            tags?: string[] | string;
            /** @description The URL of the cover image (http or https); empty for none. */
            main_image?: string | null;
            /** @description The http or https URL of the original, unique among published articles; empty for none. It is never fetched. A host that readers elsewhere can't reach causes a warning. */
            canonical_url?: string | null;
            /** @description The URL of a video (http or https); empty for none. */
            video_source_url?: string | null;
            /** @description The name of the author's series that the article belongs to. Created if it is new. */
            series?: string | null;
            /** @description The publication date. With `published`, or for a scheduled article, a future date schedules it. Ignored, with a warning, once published. */
            published_at?: string | null;
            /** @description The id of a series of the author. `series` takes precedence. */
            collection_id?: number | null;
            /** @description The id of the organization to publish for, also as a string. Ignored, with a warning, unless the caller is a member. */
            organization_id?: number | null;
        };
        /** @description An article in a list, without its body. */
        ArticleSummary: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "article";
            /** @description The id of the article. */
            id: number;
            /** @description The title. */
            title: string;
            /** @description A summary in one or two sentences. */
            description: string;
            /** @description The publication date for display: `Mar 2`, or `Mar 2 '24` in another year. Null when unpublished. */
            readable_publish_date: string | null;
            /** @description The article's part of its path. */
            slug: string;
            /** @description `/{username}/{slug}`, with the username of the organization or else of the author. */
            path: string;
            /**
             * Format: uri
             * @description The URL of the article.
             */
            url: string;
            /** @description The number of comments. */
            comments_count: number;
            /** @description The number of public reactions. */
            public_reactions_count: number;
            /** @description The same as `public_reactions_count`. */
            positive_reactions_count: number;
            /** @description The id of the series that the article belongs to. */
            collection_id: number | null;
            /** @description `crossposted_at` where it is set, otherwise `published_at`. Empty when unpublished. */
            published_timestamp: string;
            /**
             * Format: uri
             * @description The URL of the cover image.
             */
            cover_image: string | null;
            /**
             * Format: uri
             * @description The URL of the image for link previews: the cover image, or a generated card.
             */
            social_image: string;
            /**
             * Format: uri
             * @description The URL of the original; the article's own unless its author has set another.
             */
            canonical_url: string;
            /**
             * Format: date-time
             * @description When the article was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its author last changed the published article.
             */
            edited_at: string | null;
            /**
             * Format: date-time
             * @description When the original was published, for articles imported from a feed.
             */
            crossposted_at: string | null;
            /**
             * Format: date-time
             * @description When the article was published. Null when unpublished.
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When the latest comment was written; before the first one, `published_at`.
             */
            last_comment_at: string;
            /** @description The estimated reading time in minutes. */
            reading_time_minutes: number;
            /** @description The tags. */
            tag_list: string[];
            /** @description The same tags, separated by a comma and a space. */
            tags: string;
            /** @description The body. Only in the response to a search that finds one article. */
            body_markdown?: string;
            user: components["schemas"]["Author"];
            organization?: components["schemas"]["Owner"];
            flare_tag?: components["schemas"]["FlareTag"];
        };
        /** @description The user who has written something. */
        Author: {
            /** @description The display name. */
            name: string;
            /** @description The name in URLs. */
            username: string;
            /** @description The username on a microblogging service. */
            microblog_username: string | null;
            /** @description The username on a code hosting service. */
            codehost_username: string | null;
            /**
             * Format: uri
             * @description The URL of the user's website.
             */
            website_url: string | null;
            /** @description The id of the user. */
            user_id: number;
            /** @description The URL of the profile image, 640 by 640 pixels. */
            profile_image: string;
            /** @description The URL of the profile image, 90 by 90 pixels. */
            profile_image_90: string;
        };
        /** @description The result of a failed check of the cache. */
        CacheFailure: {
            /**
             * @description The result, as a sentence.
             * @enum {string}
             */
            message: "Cache NOT connected!";
        };
        /** @description The result of a successful check of the cache. */
        CacheHealth: {
            /**
             * @description The result, as a sentence.
             * @enum {string}
             */
            message: "Cache connected";
        };
        /** @description A comment with its replies. */
        Comment: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "comment";
            /** @description The id of the comment in base 26, with the digits 0-9 and a-p. */
            id_code: string;
            /**
             * Format: date-time
             * @description When the comment was written.
             */
            created_at: string;
            /** @description The comment as sanitised HTML. Absent when the comment is deleted or hidden. */
            body_html?: string;
            user?: components["schemas"]["Author"];
            /**
             * @description Present when the comment was deleted by its author or a moderator.
             * @enum {boolean}
             */
            deleted?: true;
            /**
             * @description Present when the comment was hidden by the author of the article or a moderator.
             * @enum {boolean}
             */
            hidden?: true;
            /** @description The replies, oldest first. */
            children: components["schemas"]["Comment"][];
        };
        /** @description A change of a comment. */
        CommentChange: {
            comment: components["schemas"]["CommentChangeAttributes"];
        };
        /** @description The attributes to change. */
        CommentChangeAttributes: {
            /** @description The comment as Markdown, at most 25,000 characters. */
            body_markdown: string;
        };
        /** @description The settings of the community. */
        CommunitySettings: {
            /**
             * @description The name of the community.
             * @default Inkstone
             */
            community_name: string;
            /**
             * @description The purpose of the community.
             * @default A community that writes.
             */
            community_description: string;
            /**
             * @description The slogan of the community.
             * @default
             */
            tagline: string;
            /**
             * @description Whether /admin shows what is left to do after the set-up.
             * @default shown
             * @enum {string}
             */
            first_steps: "shown" | "hidden";
            /**
             * @description The address of the site's logo, a path or an https address. Empty: the first letter of the name. `inkstone settings set logo FILE` uploads an image.
             * @default
             */
            logo_url: string;
            /**
             * @description The colour of the site's links and buttons. Each theme makes it lighter or darker until it is readable.
             * @default #b3402e
             */
            accent_color: string;
            /**
             * @description The links at the top of the site, one per line, as in Tags | /tags. Empty: the default links.
             * @default
             */
            navigation_links: string;
            /**
             * @description The links at the end of each page, one per line, as in About | /about. Empty: the default links.
             * @default
             */
            footer_links: string;
            /**
             * @description A sentence at the end of each page.
             * @default
             */
            footer_text: string;
            /**
             * @description The page /about, in Markdown. Empty: the default text.
             * @default
             */
            about_page: string;
            /**
             * @description The page /privacy, in Markdown. Empty: the default text.
             * @default
             */
            privacy_page: string;
            /**
             * @description The page /terms, in Markdown. Empty: the default text.
             * @default
             */
            terms_page: string;
            /**
             * @description The page /code-of-conduct, in Markdown. Empty: the default text.
             * @default
             */
            code_of_conduct_page: string;
            /**
             * @description With public, everyone can read the community. With private, only members can, signed in or by an API key: strangers are led to the sign-in page, feeds and sitemaps ask for a key, and search engines are kept out.
             * @default public
             * @enum {string}
             */
            visibility: "public" | "private";
            /**
             * @description The users who may publish articles. With admins, other users can change their articles but not publish any; what they have published stays.
             * @default everyone
             * @enum {string}
             */
            posting: "everyone" | "admins";
            /**
             * @description How people join: by themselves (open), once an admin or a moderator approves (approval), by an invitation (invite), or by the invitation of an admin alone (closed). A change keeps everyone who has joined.
             * @default invite
             * @enum {string}
             */
            registration: "open" | "approval" | "invite" | "closed";
            /**
             * @description Invitations that each member may make; with 0, only admins invite.
             * @default 0
             */
            member_invitations: number;
            /**
             * @description Who must have a second factor to use the site as a member: nobody, admins, or admins and moderators (staff).
             * @default nobody
             * @enum {string}
             */
            require_two_factor: "nobody" | "admins" | "staff";
            /**
             * @description The language of articles whose own is not sure, and of the site's feeds. The search matches inflections by the language of each article; with simple, it matches none. After a change, all articles are indexed again in the background.
             * @default english
             * @enum {string}
             */
            search_language: "arabic" | "armenian" | "danish" | "dutch" | "english" | "finnish" | "french" | "german" | "greek" | "hungarian" | "indonesian" | "irish" | "italian" | "lithuanian" | "nepali" | "norwegian" | "portuguese" | "romanian" | "russian" | "serbian" | "spanish" | "swedish" | "tamil" | "turkish" | "simple";
            /**
             * @description The e-mail address for questions; may be empty.
             * @default
             */
            contact_email: string;
            /**
             * @description Published articles per user in 30 seconds.
             * @default 10
             */
            article_create_limit: number;
            /**
             * @description Published articles per user in 5 minutes, within 3 days of registering on the site.
             * @default 2
             */
            article_create_new_account_limit: number;
            /**
             * @description Updates of articles per user in 30 seconds.
             * @default 31
             */
            article_update_limit: number;
            /**
             * @description Image uploads per user in 30 seconds.
             * @default 10
             */
            image_upload_limit: number;
            /**
             * @description Megabytes of images per user.
             * @default 1000
             */
            image_quota_megabytes: number;
            /**
             * @description Listings per user in 60 seconds.
             * @default 2
             */
            listing_create_limit: number;
            /**
             * @description Reactions per user in 30 seconds. Imports have no limit.
             * @default 11
             */
            reaction_create_limit: number;
            /**
             * @description Follows per user in a day. Imports have no limit.
             * @default 500
             */
            follow_limit: number;
            /**
             * @description Days until the names of signed-in readers are removed from views of articles; the counts stay.
             * @default 400
             */
            page_view_days: number;
            /**
             * @description Reads per second per address or key, on average.
             * @default 30
             */
            read_rate: number;
            /**
             * @description Reads in a burst per address or key.
             * @default 300
             */
            read_burst: number;
            /**
             * @description Writes per second per address or key, on average.
             * @default 5
             */
            write_rate: number;
            /**
             * @description Writes in a burst per address or key.
             * @default 50
             */
            write_burst: number;
        };
        /** @description A new webhook endpoint with its secret, and warnings if there are any. */
        CreatedWebhook: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "webhook_endpoint";
            /** @description The id of the endpoint. */
            id: number;
            /** @description The name that the owner has given the endpoint. */
            source: string;
            /** @description The URL that events are sent to. */
            target_url: string;
            /** @description The events that are sent. */
            events: ("article_created" | "article_updated" | "article_published" | "article_unpublished" | "article_destroyed" | "comment_created" | "comment_deleted" | "reaction_created" | "follow_created")[];
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the endpoint was disabled. Null while it is enabled.
             */
            disabled_at: string | null;
            /** @description Why the endpoint was disabled, as a sentence. */
            disabled_reason: string | null;
            user: components["schemas"]["Author"];
            /** @description The key that signs deliveries: `whsec_` and base64. Shown only in this response. */
            secret: string;
            /** @description Sentences about attributes that were ignored or may not work as intended. Absent when there are none. */
            warnings?: string[];
        };
        /** @description The result of a failed check of the database. */
        DatabaseFailure: {
            /**
             * @description The result, as a sentence.
             * @enum {string}
             */
            message: "Database NOT connected!";
        };
        /** @description The result of a successful check of the database. */
        DatabaseHealth: {
            /**
             * @description The result, as a sentence.
             * @enum {string}
             */
            message: "Database connected";
        };
        /** @description The attributes whose values are invalid. */
        FieldErrors: {
            /** @description The faults of each attribute, by its name. */
            errors: {
                [key: string]: string[];
            };
        };
        /** @description The tag that is shown as a badge beside the title of an article. */
        FlareTag: {
            /** @description The name of the tag. */
            name: string;
            /** @description The background colour, such as `#f7df1e`. */
            bg_color_hex: string | null;
            /** @description The text colour, such as `#000000`. */
            text_color_hex: string | null;
        };
        /** @description A user, organization or tag that the caller follows. */
        Follow: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "user_follow" | "organization_follow" | "tag_follow";
            /** @description The id of the follow, not of the user. */
            id: number;
            /**
             * Format: date-time
             * @description When the user began to follow.
             */
            created_at: string;
            /** @description The display name. */
            name: string;
            /** @description `/{username}`. */
            path: string;
            /** @description The id of the user, organization or tag. */
            followed_id: number;
            /** @description The name in URLs. */
            username?: string;
            /**
             * Format: uri
             * @description The URL of the profile image, 60 by 60 pixels.
             */
            profile_image?: string;
        };
        /** @description A tag that the caller follows. */
        FollowedTag: {
            /** @description The id of the tag. */
            id: number;
            /** @description The name of the tag. */
            name: string;
            /** @description The weight that the caller has given the tag. The default is 1. */
            points: number;
        };
        /** @description A user who follows the caller. */
        Follower: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "user_follower";
            /** @description The id of the follow, not of the user. */
            id: number;
            /**
             * Format: date-time
             * @description When the user began to follow.
             */
            created_at: string;
            /** @description The id of the user. */
            user_id: number;
            /** @description The display name. */
            name: string;
            /** @description `/{username}`. */
            path: string;
            /** @description The name in URLs. */
            username: string;
            /**
             * Format: uri
             * @description The URL of the profile image, 60 by 60 pixels.
             */
            profile_image: string;
        };
        /** @description A form with the image to upload. */
        ImageForm: {
            /**
             * Format: binary
             * @description A JPEG, PNG, GIF, WebP or AVIF image of at most 10 MiB, 24 megapixels and 200 frames.
             */
            image: Blob;
        };
        /** @description An uploaded image. */
        ImageUpload: {
            /** @description The URL of the image, for use in articles. */
            links: string[];
        };
        /** @description The community. */
        Instance: {
            /** @description Always null. */
            context: null;
            /**
             * Format: uri
             * @description The URL of the cover image.
             */
            cover_image_url: string;
            /** @description The purpose of the community; empty in a private one. */
            description: string;
            /** @description Whether directories may list the community. */
            display_in_directory: boolean;
            /** @description The host of the site, with the port unless it is the default one. */
            domain: string;
            /**
             * Format: uri
             * @description The URL of the logo.
             */
            logo_image_url: string;
            /** @description The name of the community. */
            name: string;
            /** @description The slogan of the community. */
            tagline: string;
            /** @description The version of Inkstone. */
            version: string;
            /**
             * @description Who may read: everyone, or only members. `pending` until the first account exists.
             * @enum {string}
             */
            visibility: "public" | "private" | "pending";
        };
        /** @description A webhook endpoint in a list. */
        ListedWebhook: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "webhook_endpoint";
            /** @description The id of the endpoint. */
            id: number;
            /** @description The name that the owner has given the endpoint. */
            source: string;
            /** @description The URL that events are sent to. */
            target_url: string;
            /** @description The events that are sent. */
            events: ("article_created" | "article_updated" | "article_published" | "article_unpublished" | "article_destroyed" | "comment_created" | "comment_deleted" | "reaction_created" | "follow_created")[];
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the endpoint was disabled. Null while it is enabled.
             */
            disabled_at: string | null;
            /** @description Why the endpoint was disabled, as a sentence. */
            disabled_reason: string | null;
        };
        /** @description A classified listing. */
        Listing: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "listing";
            /** @description The id of the listing. */
            id: number;
            /** @description The title. */
            title: string;
            /** @description The listing's name in URLs. */
            slug: string;
            /** @description The body as Markdown. */
            body_markdown: string;
            /** @description The slug of the category. */
            category: string;
            /** @description The body as sanitised HTML. */
            processed_html: string;
            /** @description Whether the listing is published. */
            published: boolean;
            /** @description The id of the category. */
            listing_category_id: number;
            /** @description The tags, separated by a comma and a space. */
            tag_list: string;
            /** @description The tags. */
            tags: string[];
            /** @description The place that the listing is about. */
            location: string | null;
            /**
             * Format: date-time
             * @description When the listing expires and disappears from lists.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the listing was created.
             */
            created_at: string;
            user: components["schemas"]["Author"];
            organization?: components["schemas"]["Owner"];
        };
        /** @description A change of a listing. */
        ListingChange: {
            listing: components["schemas"]["ListingChangeAttributes"];
            classified_listing?: components["schemas"]["ListingChangeAttributes"];
        };
        /** @description The attributes to change; absent and null ones stay as they are. */
        ListingChangeAttributes: {
            /** @description The title. */
            title?: string | null;
            /** @description The body as Markdown, with at most 12 line breaks and without images or `{% %}` tags. */
            body_markdown?: string | null;
            /** @description The slug of the category. */
            category?: string | null;
            /** @description The id of the category. `category` takes precedence. */
            listing_category_id?: number | null;
            /** @description At most 8 tags of letters and digits: an array, or a string separated by commas. `tags` takes precedence over `tag_list`. */
            tags?: string[] | string | null;
            /** @description At most 8 tags of letters and digits: an array, or a string separated by commas. `tags` takes precedence over `tag_list`. */
            tag_list?: string[] | string | null;
            /** @description The place that the listing is about; empty for none. */
            location?: string | null;
            /** @description When the listing expires and disappears from lists; empty for never. */
            expires_at?: string | null;
            /** @description The id of an organization that the caller is a member of, also as a string. */
            organization_id?: number | null;
            /**
             * @description An action, which ignores the other attributes. `bump` moves the listing to the top, at most once in 24 hours.
             * @enum {string}
             */
            action?: "publish" | "unpublish" | "bump";
        };
        /** @description An article to create. */
        NewArticle: {
            article: components["schemas"]["NewArticleAttributes"];
        };
        /** @description The attributes of the article. */
        NewArticleAttributes: {
            /** @description The title. A new article needs one, here or in the front matter, which takes precedence. */
            title?: string;
            /** @description The body as Markdown, at most 800 KiB, with optional front matter, which takes precedence over the attributes. Stored and returned byte for byte. */
            body_markdown: string;
            /** @description Whether the article is published; by default, a new one is a draft. The front matter takes precedence. */
            published?: boolean;
            /** @description A summary. Taken from the body when empty, and in a new article also when absent. */
            description?: string;
            /** @description At most 4 tags of letters and digits: an array, which may be empty, or a string separated by commas. */
            tags?: string[] | string;
            /** @description The URL of the cover image (http or https); empty for none. */
            main_image?: string | null;
            /** @description The http or https URL of the original, unique among published articles; empty for none. It is never fetched. A host that readers elsewhere can't reach causes a warning. */
            canonical_url?: string | null;
            /** @description The URL of a video (http or https); empty for none. */
            video_source_url?: string | null;
            /** @description The name of the author's series that the article belongs to. Created if it is new. */
            series?: string | null;
            /** @description The publication date. With `published`, or for a scheduled article, a future date schedules it. Ignored, with a warning, once published. */
            published_at?: string | null;
            /** @description The id of a series of the author. `series` takes precedence. */
            collection_id?: number | null;
            /** @description The id of the organization to publish for, also as a string. Ignored, with a warning, unless the caller is a member. */
            organization_id?: number | null;
        };
        /** @description A comment to create. */
        NewComment: {
            comment: components["schemas"]["NewCommentAttributes"];
        };
        /** @description The attributes of the comment. */
        NewCommentAttributes: {
            /** @description The comment as Markdown, at most 25,000 characters. */
            body_markdown: string;
            /** @description The id of the article. Give either this or `p_id`. */
            a_id?: number;
            /** @description The id of the podcast episode. */
            p_id?: number;
            /** @description The `id_code` of the comment that this one answers. */
            parent_id_code?: string;
        };
        /** @description A listing to create. */
        NewListing: {
            listing: components["schemas"]["NewListingAttributes"];
            classified_listing?: components["schemas"]["NewListingAttributes"];
        };
        /** @description The attributes of the listing. */
        NewListingAttributes: {
            /** @description The title. */
            title: string | null;
            /** @description The body as Markdown, with at most 12 line breaks and without images or `{% %}` tags. */
            body_markdown: string | null;
            /** @description The slug of the category. */
            category?: string | null;
            /** @description The id of the category. `category` takes precedence. */
            listing_category_id?: number | null;
            /** @description At most 8 tags of letters and digits: an array, or a string separated by commas. `tags` takes precedence over `tag_list`. */
            tags?: string[] | string | null;
            /** @description At most 8 tags of letters and digits: an array, or a string separated by commas. `tags` takes precedence over `tag_list`. */
            tag_list?: string[] | string | null;
            /** @description The place that the listing is about; empty for none. */
            location?: string | null;
            /** @description When the listing expires and disappears from lists; empty for never. */
            expires_at?: string | null;
            /** @description The id of an organization that the caller is a member of, also as a string. */
            organization_id?: number | null;
            /**
             * @description `draft` keeps the listing unpublished. The default is `publish`.
             * @enum {string}
             */
            action?: "draft" | "publish";
        };
        /** @description A webhook endpoint to create. */
        NewWebhook: {
            webhook_endpoint: components["schemas"]["NewWebhookAttributes"];
        };
        /** @description The attributes of the endpoint. */
        NewWebhookAttributes: {
            /** @description A name for the endpoint. */
            source: string;
            /**
             * Format: uri
             * @description An https URL that none of the caller's other endpoints has.
             */
            target_url: string;
            /** @description The events to send: article_created, article_updated, article_published, article_unpublished, article_destroyed, comment_created, comment_deleted, reaction_created, follow_created. `ArticleCreated` is read as `article_created`. */
            events: string[];
        };
        /** @description A notification of the caller. */
        Notification: {
            /** @description The id of the notification. */
            id: number;
            /** @description What has happened, such as `reply` or `follow`. */
            kind: string;
            /**
             * Format: date-time
             * @description When the caller was notified.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the caller has read it. Null while it is unread.
             */
            read_at: string | null;
            /** @description The id of the article, if it is about one or a comment on one. */
            article_id?: number;
            /** @description The `id_code` of the comment, if it is about one. */
            id_code?: string;
            /** @description The title of the article or episode, the name of the follower, or a sentence. */
            title: string;
            /** @description The path of what it is about. */
            path: string;
        };
        /** @description An organization with its profile. */
        Organization: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "organization";
            /** @description The id of the organization. */
            id: number;
            /** @description The display name. */
            name: string;
            /**
             * Format: uri
             * @description The URL of the logo, 640 by 640 pixels.
             */
            profile_image: string;
            /** @description A short description. */
            summary: string | null;
            /** @description A slogan. */
            tag_line: string | null;
            /**
             * Format: uri
             * @description The URL of the organization's website.
             */
            url: string | null;
            /** @description The name in URLs. */
            username: string;
            /** @description The username on a microblogging service. */
            microblog_username: string | null;
            /** @description The username on a code hosting service. */
            codehost_username: string | null;
            /** @description Where the organization is based. */
            location: string | null;
            /** @description The technologies that the organization uses. */
            tech_stack: string | null;
            /** @description The history of the organization. */
            story: string | null;
            /**
             * Format: date-time
             * @description When the organization was created.
             */
            joined_at: string;
        };
        /** @description An organization in a list. */
        OrganizationSummary: {
            /** @description The id of the organization. */
            id: number;
            /** @description The display name. */
            name: string;
            /**
             * Format: uri
             * @description The URL of the logo, 640 by 640 pixels.
             */
            profile_image: string;
            /** @description A short description. */
            summary: string | null;
            /** @description A slogan. */
            tag_line: string | null;
            /**
             * Format: uri
             * @description The URL of the organization's website.
             */
            url: string | null;
            /** @description The username. */
            slug: string;
        };
        /** @description An article in the list of its author. */
        OwnArticle: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "article";
            /** @description The id of the article. */
            id: number;
            /** @description The title. */
            title: string;
            /** @description A summary in one or two sentences. */
            description: string;
            /** @description Whether the article is published or scheduled. */
            published: boolean;
            /**
             * Format: date-time
             * @description When the article was or will be published, in milliseconds. Null for other drafts.
             */
            published_at: string | null;
            /** @description The article's part of its path; temporary until the first publication. */
            slug: string;
            /** @description `/{username}/{slug}`, with the username of the organization or else of the author. */
            path: string;
            /**
             * Format: uri
             * @description The URL of the article.
             */
            url: string;
            /** @description The number of comments. */
            comments_count: number;
            /** @description The number of public reactions. */
            public_reactions_count: number;
            /** @description The number of views. */
            page_views_count: number;
            /** @description `crossposted_at` where it is set, otherwise `published_at`. Empty when unpublished. */
            published_timestamp: string;
            /** @description The body as written: Markdown with its front matter, if any. */
            body_markdown: string;
            /** @description The same as `public_reactions_count`. */
            positive_reactions_count: number;
            /**
             * Format: uri
             * @description The URL of the cover image.
             */
            cover_image: string | null;
            /** @description The tags. */
            tag_list: string[];
            /**
             * Format: uri
             * @description The URL of the original; the article's own unless its author has set another.
             */
            canonical_url: string;
            /** @description The estimated reading time in minutes. */
            reading_time_minutes: number;
            user: components["schemas"]["Author"];
            organization?: components["schemas"]["Owner"];
            flare_tag?: components["schemas"]["FlareTag"];
        };
        /** @description The organization that something belongs to. */
        Owner: {
            /** @description The display name. */
            name: string;
            /** @description The name in URLs. */
            username: string;
            /** @description The same as `username`. */
            slug: string;
            /**
             * Format: uri
             * @description The URL of the logo, 640 by 640 pixels.
             */
            profile_image: string;
            /**
             * Format: uri
             * @description The URL of the logo, 90 by 90 pixels.
             */
            profile_image_90: string;
        };
        /** @description An episode of a podcast. */
        PodcastEpisode: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "podcast_episodes";
            /**
             * @description The type of the resource in another form.
             * @enum {string}
             */
            class_name: "PodcastEpisode";
            /** @description The id of the episode. */
            id: number;
            /** @description The path of the episode on this site. */
            path: string;
            /** @description The title of the episode. */
            title: string;
            /** @description The URL of the episode's image, or else of the podcast's. */
            image_url: string;
            /** @description The podcast that the episode belongs to. */
            podcast: {
                /** @description The title of the podcast. */
                title: string;
                /** @description The podcast's name in URLs. */
                slug: string;
                /** @description The URL of the podcast's image, or of a generated pattern. */
                image_url: string;
            };
        };
        /** @description The result of a successful probe. */
        Probe: {
            /**
             * @description The result.
             * @enum {string}
             */
            status: "ok";
            /**
             * @description Present while the primary database is away and replicas answer anonymous reads.
             * @enum {string}
             */
            database?: "read-only";
        };
        /** @description The profile image of a user or an organization. */
        ProfileImage: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "profile_image";
            /**
             * @description The type of the image's owner.
             * @enum {string}
             */
            image_of: "user" | "organization";
            /**
             * Format: uri
             * @description The URL of the image, 640 by 640 pixels.
             */
            profile_image: string;
            /**
             * Format: uri
             * @description The URL of the image, 90 by 90 pixels.
             */
            profile_image_90: string;
        };
        /** @description An article in the caller's reading list. */
        ReadingListItem: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "readinglist";
            /** @description The id of the item, not of the article. */
            id: number;
            /**
             * @description How moderators have judged the reaction that saved the article.
             * @enum {string}
             */
            status: "valid" | "invalid" | "confirmed";
            /**
             * Format: date-time
             * @description When the article was saved.
             */
            created_at: string;
            article: components["schemas"]["ArticleSummary"];
        };
        /** @description A tag. */
        Tag: {
            /** @description The id of the tag. */
            id: number;
            /** @description The name of the tag. */
            name: string;
            /** @description The background colour, such as `#f7df1e`. */
            bg_color_hex: string | null;
            /** @description The text colour, such as `#000000`. */
            text_color_hex: string | null;
        };
        /** @description A user with their profile. */
        User: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "user";
            /** @description The id of the user. */
            id: number;
            /** @description The display name. */
            name: string;
            /** @description The name in URLs. */
            username: string;
            /** @description The username on a microblogging service. */
            microblog_username: string | null;
            /** @description The username on a code hosting service. */
            codehost_username: string | null;
            /**
             * Format: uri
             * @description The URL of the user's website.
             */
            website_url: string | null;
            /** @description A short biography. */
            summary: string | null;
            /** @description Where the user lives. */
            location: string | null;
            /** @description The date of registration for display: `Jan  3, 2025`, with the day padded to two columns. */
            joined_at: string;
            /** @description The URL of the profile image, 320 by 320 pixels. */
            profile_image: string;
        };
        /** @description An article with a video, in a list. */
        VideoArticle: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "video_article";
            /** @description The id of the article. */
            id: number;
            /** @description `/{username}/{slug}`, with the username of the organization or else of the author. */
            path: string;
            /**
             * Format: uri
             * @description The URL of the preview image.
             */
            cloudinary_video_url: string;
            /** @description The title of the article. */
            title: string;
            /** @description The id of the author. */
            user_id: number;
            /** @description The duration: `5:09`, or `1:02:03` for an hour and more. `0:00` when unknown. */
            video_duration_in_minutes: string;
            /**
             * Format: uri
             * @description The URL of the video.
             */
            video_source_url: string;
            /** @description The author. */
            user: {
                /** @description The display name. */
                name: string;
            };
        };
        /** @description A webhook endpoint. */
        Webhook: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "webhook_endpoint";
            /** @description The id of the endpoint. */
            id: number;
            /** @description The name that the owner has given the endpoint. */
            source: string;
            /** @description The URL that events are sent to. */
            target_url: string;
            /** @description The events that are sent. */
            events: ("article_created" | "article_updated" | "article_published" | "article_unpublished" | "article_destroyed" | "comment_created" | "comment_deleted" | "reaction_created" | "follow_created")[];
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the endpoint was disabled. Null while it is enabled.
             */
            disabled_at: string | null;
            /** @description Why the endpoint was disabled, as a sentence. */
            disabled_reason: string | null;
            user: components["schemas"]["Author"];
        };
        /** @description An event sent to a webhook endpoint. */
        WebhookDelivery: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "webhook_delivery";
            /** @description The id of the delivery. */
            id: number;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            event: "article_created" | "article_updated" | "article_published" | "article_unpublished" | "article_destroyed" | "comment_created" | "comment_deleted" | "reaction_created" | "follow_created" | "ping";
            /**
             * @description `pending` while another attempt is due, `delivered` after a success, `exhausted` after the last attempt, `failed` when abandoned earlier.
             * @enum {string}
             */
            state: "pending" | "delivered" | "failed" | "exhausted";
            /** @description The number of attempts since the delivery was last requested. */
            attempts: number;
            /** @description The status of the response to the last attempt. Null without a response. */
            response_status: number | null;
            /** @description The first 1,000 characters of that response's body. Null without a body. */
            response_beginning: string | null;
            /** @description Why the last attempt failed, as a sentence. */
            failure: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due. Null when none is.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the delivery was created.
             */
            created_at: string;
        };
        /** @description A webhook endpoint with its secret. */
        WebhookWithSecret: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "webhook_endpoint";
            /** @description The id of the endpoint. */
            id: number;
            /** @description The name that the owner has given the endpoint. */
            source: string;
            /** @description The URL that events are sent to. */
            target_url: string;
            /** @description The events that are sent. */
            events: ("article_created" | "article_updated" | "article_published" | "article_unpublished" | "article_destroyed" | "comment_created" | "comment_deleted" | "reaction_created" | "follow_created")[];
            /**
             * Format: date-time
             * @description When the endpoint was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the endpoint was disabled. Null while it is enabled.
             */
            disabled_at: string | null;
            /** @description Why the endpoint was disabled, as a sentence. */
            disabled_reason: string | null;
            user: components["schemas"]["Author"];
            /** @description The key that signs deliveries: `whsec_` and base64. Shown only in this response. */
            secret: string;
        };
        /** @description An article after a write, with warnings if there are any. */
        WrittenArticle: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "article";
            /** @description The id of the article. */
            id: number;
            /** @description The title. */
            title: string;
            /** @description A summary in one or two sentences. */
            description: string;
            /** @description The publication date for display: `Mar 2`, or `Mar 2 '24` in another year. Null when unpublished. */
            readable_publish_date: string | null;
            /** @description The article's part of its path. */
            slug: string;
            /** @description `/{username}/{slug}`, with the username of the organization or else of the author. */
            path: string;
            /**
             * Format: uri
             * @description The URL of the article.
             */
            url: string;
            /** @description The number of comments. */
            comments_count: number;
            /** @description The number of public reactions. */
            public_reactions_count: number;
            /** @description The same as `public_reactions_count`. */
            positive_reactions_count: number;
            /** @description The id of the series that the article belongs to. */
            collection_id: number | null;
            /** @description `crossposted_at` where it is set, otherwise `published_at`. Empty when unpublished. */
            published_timestamp: string;
            /**
             * Format: uri
             * @description The URL of the cover image.
             */
            cover_image: string | null;
            /**
             * Format: uri
             * @description The URL of the image for link previews: the cover image, or a generated card.
             */
            social_image: string;
            /**
             * Format: uri
             * @description The URL of the original; the article's own unless its author has set another.
             */
            canonical_url: string;
            /**
             * Format: date-time
             * @description When the article was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its author last changed the published article.
             */
            edited_at: string | null;
            /**
             * Format: date-time
             * @description When the original was published, for articles imported from a feed.
             */
            crossposted_at: string | null;
            /**
             * Format: date-time
             * @description When the article was published. Null when unpublished.
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When the latest comment was written; before the first one, `published_at`.
             */
            last_comment_at: string;
            /** @description The estimated reading time in minutes. */
            reading_time_minutes: number;
            /** @description The tags, separated by a comma and a space. In lists this is the array. */
            tag_list: string;
            /** @description The tags. In lists this is the string. */
            tags: string[];
            /** @description The body as sanitised HTML. */
            body_html: string;
            /** @description The body as written: Markdown with its front matter, if any. */
            body_markdown: string;
            user: components["schemas"]["Author"];
            organization?: components["schemas"]["Owner"];
            flare_tag?: components["schemas"]["FlareTag"];
            /** @description Sentences about attributes that were ignored or may not work as intended. Absent when there are none. */
            warnings?: string[];
        };
        /** @description A comment after a write. */
        WrittenComment: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "comment";
            /** @description The id of the comment in base 26, with the digits 0-9 and a-p. */
            id_code: string;
            /**
             * Format: date-time
             * @description When the comment was written.
             */
            created_at: string;
            /** @description The comment as sanitised HTML. Absent when the comment is deleted or hidden. */
            body_html?: string;
            user?: components["schemas"]["Author"];
            /**
             * @description Present when the comment was deleted by its author or a moderator.
             * @enum {boolean}
             */
            deleted?: true;
            /**
             * @description Present when the comment was hidden by the author of the article or a moderator.
             * @enum {boolean}
             */
            hidden?: true;
            /** @description The replies, oldest first. */
            children: components["schemas"]["Comment"][];
            /** @description Sentences about attributes that were ignored or may not work as intended. Absent when there are none. */
            warnings?: string[];
        };
        /** @description A listing after a write, with warnings if there are any. */
        WrittenListing: {
            /**
             * @description The type of the resource.
             * @enum {string}
             */
            type_of: "listing";
            /** @description The id of the listing. */
            id: number;
            /** @description The title. */
            title: string;
            /** @description The listing's name in URLs. */
            slug: string;
            /** @description The body as Markdown. */
            body_markdown: string;
            /** @description The slug of the category. */
            category: string;
            /** @description The body as sanitised HTML. */
            processed_html: string;
            /** @description Whether the listing is published. */
            published: boolean;
            /** @description The id of the category. */
            listing_category_id: number;
            /** @description The tags, separated by a comma and a space. */
            tag_list: string;
            /** @description The tags. */
            tags: string[];
            /** @description The place that the listing is about. */
            location: string | null;
            /**
             * Format: date-time
             * @description When the listing expires and disappears from lists.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When the listing was created.
             */
            created_at: string;
            user: components["schemas"]["Author"];
            organization?: components["schemas"]["Owner"];
            /** @description Sentences about attributes that were ignored or may not work as intended. Absent when there are none. */
            warnings?: string[];
        };
    };
    responses: {
        /** @description The client's copy is current. */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Warning: components["headers"]["Warning"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request is malformed. `detail` says where the body stops being JSON. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "bad request",
                 *       "status": 400,
                 *       "detail": "The body isn't valid JSON: unexpected \"}\" at line 1, column 8."
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The key is missing, unknown or expired, or lacks the permission: `detail` says which, and never whether the resource exists. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "unauthorized",
                 *       "status": 401,
                 *       "detail": "The API key has expired: create a new one."
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is larger than 256 KiB, or 5 MiB where an article is written. `detail` names the limit. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The URL is longer than 12 KiB. */
        URITooLong: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "uri too long",
                 *       "status": 414
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body isn't JSON. `detail` names the accepted type. An empty body may have any media type. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description `Expect` asks for something other than `100-continue`. */
        ExpectationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "expectation failed",
                 *       "status": 417
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description A value is invalid. The message names it and says what is allowed. */
        UnprocessableEntity: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "per_page must be a whole number from 1 to 100, not \"many\"",
                 *       "status": 422
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The rate limit is exceeded. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Rate limit reached, try again in 30 seconds",
                 *       "status": 429
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The request has more than 100 headers, or more than 16 KiB of them. */
        RequestHeaderFieldsTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "request header fields too large",
                 *       "status": 431
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The server has an unexpected error. */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "internal server error",
                 *       "status": 500
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The server can't do this now: the database is unreachable, for instance, or overloaded. */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "service unavailable",
                 *       "status": 503
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The response contains published articles; it is an empty array if none matches. */
        listArticles: {
            headers: {
                ETag: components["headers"]["ETag"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Warning: components["headers"]["Warning"];
                Link: components["headers"]["Link"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/vnd.service.api-v1+json": components["schemas"]["ArticleSummary"][];
                "application/json": components["schemas"]["ArticleSummary"][];
            };
        };
        /** @description The first request with this `Idempotency-Key` is still running. */
        Conflict: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "A request with this Idempotency-Key is still running: try again in 1 second.",
                 *       "status": 409
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The response contains the article. */
        getArticleByPath: {
            headers: {
                ETag: components["headers"]["ETag"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Warning: components["headers"]["Warning"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/vnd.service.api-v1+json": components["schemas"]["Article"];
                "application/json": components["schemas"]["Article"];
            };
        };
        /** @description The resource doesn't exist, or the caller may not see it. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "not found",
                 *       "status": 404
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The resource has changed since the version in `If-Match`. `detail` says what to do. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "precondition failed",
                 *       "status": 412,
                 *       "detail": "The resource has changed since the version in If-Match: read it again, repeat the change in the new version, and send its ETag."
                 *     }
                 */
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The response contains the caller's articles; it is an empty array past the last page. */
        listMyArticles: {
            headers: {
                Link: components["headers"]["Link"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/vnd.service.api-v1+json": components["schemas"]["OwnArticle"][];
                "application/json": components["schemas"]["OwnArticle"][];
            };
        };
        /** @description The response contains the user. */
        getUserByUsername: {
            headers: {
                ETag: components["headers"]["ETag"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Warning: components["headers"]["Warning"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/vnd.service.api-v1+json": components["schemas"]["User"];
                "application/json": components["schemas"]["User"];
            };
        };
        /** @description Done, also if it was so before. */
        suspendUser: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The response contains the listings, most recently bumped first; it is an empty array if none matches. */
        listListings: {
            headers: {
                ETag: components["headers"]["ETag"];
                "Cache-Control": components["headers"]["Cache-Control"];
                Warning: components["headers"]["Warning"];
                Link: components["headers"]["Link"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/vnd.service.api-v1+json": components["schemas"]["Listing"][];
                "application/json": components["schemas"]["Listing"][];
            };
        };
        /** @description A value is invalid. The message names it and says what is allowed. */
        "createListing.UnprocessableEntity": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": {
                 *         "title": [
                 *           "can't be blank"
                 *         ],
                 *         "listing_category": [
                 *           "must exist"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["FieldErrors"] | components["schemas"]["ApiError"];
            };
        };
        /** @description The response contains the endpoint. */
        getWebhook: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/vnd.service.api-v1+json": components["schemas"]["Webhook"];
                "application/json": components["schemas"]["Webhook"];
            };
        };
        /** @description The response contains the delivery, which is now pending. */
        retryWebhookDelivery: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/vnd.service.api-v1+json": components["schemas"]["WebhookDelivery"];
                "application/json": components["schemas"]["WebhookDelivery"];
            };
        };
        /** @description The check passes. */
        checkLiveness: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "ok"
                 *     }
                 */
                "application/json": components["schemas"]["Probe"];
            };
        };
    };
    parameters: {
        /**
         * @description Only articles published in the last `top` days, most popular first.
         * @example 365
         */
        top: number;
        /**
         * @description Only articles with this tag or an alias of it, in any case.
         * @example gardening
         */
        tag: string;
        /**
         * @description The page number, starting from 1.
         * @example 1
         */
        page: number;
        /**
         * @description Items per page. The default is 30, or 1000 with `username` and `state=all`.
         * @example 10
         */
        per_page: number;
        /**
         * @description Only articles with at least one of these comma-separated tags.
         * @example bread,tea
         */
        tags: string;
        /**
         * @description Only articles with none of these comma-separated tags.
         * @example javascript,python
         */
        tags_exclude: string;
        /**
         * @description Only articles by the user or organization with this username.
         * @example lukas_brandt
         */
        username: string;
        /**
         * @description `fresh`, `rising` or `recent`; with `username` also `all`. Any other value finds nothing.
         * @example recent
         */
        state: string;
        /**
         * @description Only articles in the series with this id.
         * @example 1
         */
        collection_id: number;
        /**
         * @description The order by publication date: `desc` for newest first, `asc` for oldest first.
         * @example desc
         */
        sort: "desc" | "asc";
        /**
         * @description The position to continue from; part of the `next` link.
         * @example WyJob3RuZXNzIiwxMDAwLCIyMDI2LTAzLTAyVDA5OjE1OjAwLjAwMFoiLDU0XQ
         */
        cursor: string;
        /**
         * @description The position to continue from; part of the `next` link.
         * @example WyJuZXdlc3QiLCIyMDI2LTAzLTAyVDA5OjE1OjAwLjAwMFoiLDU0XQ
         */
        "listLatestArticles.cursor": string;
        /**
         * @description An `ETag` of the resource, or `*` for any version. If the resource has changed since, the request fails and changes nothing.
         * @example *
         */
        "If-Match": string;
        /**
         * @description Items per page.
         * @example 10
         */
        "listMyArticles.per_page": number;
        /**
         * @description The `id_code` of the comment, in any case.
         * @example 9
         */
        id_code: string;
        /**
         * @description The id of the user.
         * @example 2
         */
        id: number;
        /**
         * @description The username of the organization, in any case, or its id.
         * @example tinker_lab
         */
        "getOrganization.username": string;
        /**
         * @description Items per page.
         * @example 10
         */
        "getFollowers.per_page": number;
        /**
         * @description The kind of what is followed.
         * @example tags
         */
        kind: "users" | "organizations" | "tags";
        /**
         * @description The id, or the username, in any case. A tag's name may be digits, and comes before an id.
         * @example bookbinding
         */
        name: string;
        /**
         * @description Items per page.
         * @example 10
         */
        "getReadinglist.per_page": number;
        /**
         * @description The id of the article.
         * @example 33
         */
        article_id: number;
        /**
         * @description Only listings in the category with this slug.
         * @example events
         */
        category: string;
        /**
         * @description The id of the listing.
         * @example 1
         */
        "getListing.id": number;
        /**
         * @description The id of an organization of the caller, for its figures instead of the caller's.
         * @example 1
         */
        organization_id: number;
        /**
         * @description The id of a published article, for its figures instead of those of all articles.
         * @example 2
         */
        "getAnalyticsTotals.article_id": number;
        /**
         * @description The id of the endpoint.
         * @example 1
         */
        "getWebhook.id": number;
    };
    requestBodies: never;
    headers: {
        /** @description The version. As `If-None-Match` it gets a 304 while nothing has changed; as `If-Match` it protects a change. */
        ETag: string;
        /** @description `public, no-cache`: caches may store the response and must revalidate it before each use. A cache in front of the server may be told otherwise by `CDN-Cache-Control` (RFC 9213). */
        "Cache-Control": string;
        /** @description Under `/api`, the unknown parameters of the query, which were ignored, with the nearest known names. */
        Warning: string;
        /** @description Identifies this request in the server's log. */
        "X-Request-Id": string;
        /** @description Seconds to wait before the next attempt. */
        "Retry-After": string;
        /** @description The requests that are left: `r` now, and all of them in `t` seconds. Absent without limits, and where a shared cache may keep the response. */
        RateLimit: string;
        /** @description The limit: a burst of `q` requests, available again within `w` seconds. */
        "RateLimit-Policy": string;
        /** @description The URLs of the first, previous and next pages, where they exist (RFC 8288). */
        Link: string;
        /** @description The URL of the new resource. */
        Location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getArticles: {
        parameters: {
            query?: {
                /**
                 * @description The words to find; articles with all of them come first. The last word also matches as a prefix, from three letters on. `"quoted words"` match as a phrase; `-word` at the end excludes articles with the word. Case and accents are ignored.
                 * @example tomatoes
                 */
                q?: string;
                /**
                 * @description The page number, starting from 0.
                 * @example 0
                 */
                page?: number;
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: number;
                /**
                 * @description Only articles published in the last `top` days, most popular first.
                 * @example 365
                 */
                top?: components["parameters"]["top"];
                /**
                 * @description Only articles with this tag or an alias of it, in any case.
                 * @example gardening
                 */
                tag?: components["parameters"]["tag"];
                /**
                 * @description The position to continue from; part of the `next` link.
                 * @example WyJzZWFyY2giLDAuNSw1NF0
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains published articles; it is an empty array if none matches. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    Link: components["headers"]["Link"];
                    /** @description `exact` if some article has all words as typed, `similar` if one has them with misspelt words corrected, otherwise `partial`. Only with `q`, and of no empty response. */
                    "X-Search-Match"?: string;
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["ArticleSummary"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listArticles: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page. The default is 30, or 1000 with `username` and `state=all`.
                 * @example 10
                 */
                per_page?: components["parameters"]["per_page"];
                /**
                 * @description Only articles with this tag or an alias of it, in any case.
                 * @example gardening
                 */
                tag?: components["parameters"]["tag"];
                /**
                 * @description Only articles with at least one of these comma-separated tags.
                 * @example bread,tea
                 */
                tags?: components["parameters"]["tags"];
                /**
                 * @description Only articles with none of these comma-separated tags.
                 * @example javascript,python
                 */
                tags_exclude?: components["parameters"]["tags_exclude"];
                /**
                 * @description Only articles by the user or organization with this username.
                 * @example lukas_brandt
                 */
                username?: components["parameters"]["username"];
                /**
                 * @description `fresh`, `rising` or `recent`; with `username` also `all`. Any other value finds nothing.
                 * @example recent
                 */
                state?: components["parameters"]["state"];
                /**
                 * @description Only articles published in the last `top` days, most popular first.
                 * @example 365
                 */
                top?: components["parameters"]["top"];
                /**
                 * @description Only articles in the series with this id.
                 * @example 1
                 */
                collection_id?: components["parameters"]["collection_id"];
                /**
                 * @description The order by publication date: `desc` for newest first, `asc` for oldest first.
                 * @example desc
                 */
                sort?: components["parameters"]["sort"];
                /**
                 * @description The position to continue from; part of the `next` link.
                 * @example WyJob3RuZXNzIiwxMDAwLCIyMDI2LTAzLTAyVDA5OjE1OjAwLjAwMFoiLDU0XQ
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["listArticles"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createArticle: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text that the client chooses to identify the request. For at least 24 hours, the same request with the same key gets the same response and has no further effect.
                 * @example createArticle-2026-03-02
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description An article to create. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "article": {
                 *         "title": "Pressing flowers",
                 *         "body_markdown": "Choose thin petals.",
                 *         "published": true,
                 *         "tags": [
                 *           "beginners"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewArticle"];
                /**
                 * @example {
                 *       "article": {
                 *         "title": "Pressing flowers",
                 *         "body_markdown": "Choose thin petals.",
                 *         "published": true,
                 *         "tags": [
                 *           "beginners"
                 *         ]
                 *       }
                 *     }
                 */
                "application/vnd.service.api-v1+json": components["schemas"]["NewArticle"];
            };
        };
        responses: {
            /** @description The response contains the article. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["WrittenArticle"];
                    "application/json": components["schemas"]["WrittenArticle"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLatestArticles: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page. The default is 30, or 1000 with `username` and `state=all`.
                 * @example 10
                 */
                per_page?: components["parameters"]["per_page"];
                /**
                 * @description Only articles with this tag or an alias of it, in any case.
                 * @example gardening
                 */
                tag?: components["parameters"]["tag"];
                /**
                 * @description Only articles with at least one of these comma-separated tags.
                 * @example bread,tea
                 */
                tags?: components["parameters"]["tags"];
                /**
                 * @description Only articles with none of these comma-separated tags.
                 * @example javascript,python
                 */
                tags_exclude?: components["parameters"]["tags_exclude"];
                /**
                 * @description Only articles by the user or organization with this username.
                 * @example lukas_brandt
                 */
                username?: components["parameters"]["username"];
                /**
                 * @description `fresh`, `rising` or `recent`; with `username` also `all`. Any other value finds nothing.
                 * @example recent
                 */
                state?: components["parameters"]["state"];
                /**
                 * @description Only articles published in the last `top` days, most popular first.
                 * @example 365
                 */
                top?: components["parameters"]["top"];
                /**
                 * @description Only articles in the series with this id.
                 * @example 1
                 */
                collection_id?: components["parameters"]["collection_id"];
                /**
                 * @description The order by publication date: `desc` for newest first, `asc` for oldest first.
                 * @example desc
                 */
                sort?: components["parameters"]["sort"];
                /**
                 * @description The position to continue from; part of the `next` link.
                 * @example WyJuZXdlc3QiLCIyMDI2LTAzLTAyVDA5OjE1OjAwLjAwMFoiLDU0XQ
                 */
                cursor?: components["parameters"]["listLatestArticles.cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["listArticles"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getArticleByPath: {
        parameters: {
            query: {
                /**
                 * @description The path of the article, or its full URL.
                 * @example /mara_lindqvist/growing-tomatoes-from-seed-in-a-cold-climate
                 */
                url: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["getArticleByPath"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getArticle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the article, its slug, or `{username}%2F{slug}`.
                 * @example growing-tomatoes-from-seed-in-a-cold-climate
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["getArticleByPath"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateArticle: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An `ETag` of the resource, or `*` for any version. If the resource has changed since, the request fails and changes nothing.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The number of the article.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        /** @description A change of an article. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "article": {
                 *         "tags": [
                 *           "bookbinding",
                 *           "beginners"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ArticleChange"];
                /**
                 * @example {
                 *       "article": {
                 *         "tags": [
                 *           "bookbinding",
                 *           "beginners"
                 *         ]
                 *       }
                 *     }
                 */
                "application/vnd.service.api-v1+json": components["schemas"]["ArticleChange"];
            };
        };
        responses: {
            /** @description The response contains the article. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["WrittenArticle"];
                    "application/json": components["schemas"]["WrittenArticle"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteArticle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number of the article.
                 * @example 5
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The article is deleted. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getArticleByUsernameAndSlug: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The username of the author or organization.
                 * @example mara_lindqvist
                 */
                username: string;
                /**
                 * @description The slug of the article.
                 * @example growing-tomatoes-from-seed-in-a-cold-climate
                 */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["getArticleByPath"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMyArticles: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["listMyArticles.per_page"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["listMyArticles"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMyPublishedArticles: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["listMyArticles.per_page"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["listMyArticles"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMyUnpublishedArticles: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["listMyArticles.per_page"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["listMyArticles"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAllMyArticles: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["listMyArticles.per_page"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["listMyArticles"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unpublishArticle: {
        parameters: {
            query?: {
                /**
                 * @description The reason of staff, which the author reads who tries to publish the article again.
                 * @example Please name your sources.
                 */
                note?: string;
            };
            header?: {
                /**
                 * @description An `ETag` of the resource, or `*` for any version. If the resource has changed since, the request fails and changes nothing.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The number of the article.
                 * @example 3
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The article is unpublished. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listVideos: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: number;
                /**
                 * @description The position to continue from; part of the `next` link.
                 * @example WyJob3RuZXNzIiwxMDAwLCIyMDI2LTAzLTAyVDA5OjE1OjAwLjAwMFoiLDU0XQ
                 */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains articles with a video; it is an empty array past the last page. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["VideoArticle"][];
                    "application/json": components["schemas"]["VideoArticle"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getComments: {
        parameters: {
            query?: {
                /**
                 * @description The id of an article, for its comments. Either this or `p_id` is required.
                 * @example 18
                 */
                a_id?: number;
                /**
                 * @description The id of a podcast episode, for its comments.
                 * @example 3
                 */
                p_id?: number;
                /**
                 * @description The page number, starting from 1. Without it the response has all threads.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description Threads per page. Ignored without `page`.
                 * @example 10
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the threads; it is an empty array if there are none. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["Comment"][];
                    "application/json": components["schemas"]["Comment"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createComment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text that the client chooses to identify the request. For at least 24 hours, the same request with the same key gets the same response and has no further effect.
                 * @example createComment-2026-03-02
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A comment to create. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "comment": {
                 *         "a_id": 18,
                 *         "body_markdown": "That saved me an *afternoon*.",
                 *         "parent_id_code": "1"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewComment"];
                /**
                 * @example {
                 *       "comment": {
                 *         "a_id": 18,
                 *         "body_markdown": "That saved me an *afternoon*.",
                 *         "parent_id_code": "1"
                 *       }
                 *     }
                 */
                "application/vnd.service.api-v1+json": components["schemas"]["NewComment"];
            };
        };
        responses: {
            /** @description The response contains the comment. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["WrittenComment"];
                    "application/json": components["schemas"]["WrittenComment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id_code` of the comment, in any case.
                 * @example 1
                 */
                id_code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the comment with its replies. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["Comment"];
                    "application/json": components["schemas"]["Comment"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id_code` of the comment, in any case.
                 * @example 9
                 */
                id_code: components["parameters"]["id_code"];
            };
            cookie?: never;
        };
        /** @description A change of a comment. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "comment": {
                 *         "body_markdown": "That saved me a *whole* afternoon."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CommentChange"];
                /**
                 * @example {
                 *       "comment": {
                 *         "body_markdown": "That saved me a *whole* afternoon."
                 *       }
                 *     }
                 */
                "application/vnd.service.api-v1+json": components["schemas"]["CommentChange"];
            };
        };
        responses: {
            /** @description The response contains the comment with its replies. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["WrittenComment"];
                    "application/json": components["schemas"]["WrittenComment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `id_code` of the comment, in any case.
                 * @example 9
                 */
                id_code: components["parameters"]["id_code"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comment is deleted. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPodcastEpisodes: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["listMyArticles.per_page"];
                /**
                 * @description Only episodes of the podcast with this slug, in any case.
                 * @example bench-notes
                 */
                username?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the episodes; it is an empty array past the last page. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["PodcastEpisode"][];
                    "application/json": components["schemas"]["PodcastEpisode"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the user. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["User"];
                    "application/json": components["schemas"]["User"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUserByUsername: {
        parameters: {
            query: {
                /**
                 * @description The username, in any case.
                 * @example mara_lindqvist
                 */
                url: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["getUserByUsername"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["getUserByUsername"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    suspendUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user.
                 * @example 2
                 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["suspendUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unsuspendUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user.
                 * @example 2
                 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["suspendUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    markUserAsSpam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user.
                 * @example 2
                 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["suspendUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unmarkUserAsSpam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user.
                 * @example 2
                 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["suspendUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unpublishUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the user.
                 * @example 2
                 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: components["responses"]["suspendUser"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["listMyArticles.per_page"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the organizations; it is an empty array past the last page. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["OrganizationSummary"][];
                    "application/json": components["schemas"]["OrganizationSummary"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The username of the organization, in any case, or its id.
                 * @example tinker_lab
                 */
                username: components["parameters"]["getOrganization.username"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the organization. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["Organization"];
                    "application/json": components["schemas"]["Organization"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOrganizationUsers: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["listMyArticles.per_page"];
            };
            header?: never;
            path: {
                /**
                 * @description The username of the organization, in any case, or its id.
                 * @example tinker_lab
                 */
                username: components["parameters"]["getOrganization.username"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the users; it is an empty array past the last page. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["User"][];
                    "application/json": components["schemas"]["User"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOrganizationArticles: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["listMyArticles.per_page"];
                /**
                 * @description The position to continue from; part of the `next` link.
                 * @example WyJuZXdlc3QiLCIyMDI2LTAzLTAyVDA5OjE1OjAwLjAwMFoiLDU0XQ
                 */
                cursor?: components["parameters"]["listLatestArticles.cursor"];
            };
            header?: never;
            path: {
                /**
                 * @description The username of the organization, in any case, or its id.
                 * @example tinker_lab
                 */
                username: components["parameters"]["getOrganization.username"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains published articles; it is an empty array past the last page. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["ArticleSummary"][];
                    "application/json": components["schemas"]["ArticleSummary"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFollowers: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["getFollowers.per_page"];
                /**
                 * @description `created_at` for the oldest followers first. Any other value, such as `-created_at`, gives the newest first.
                 * @example created_at
                 */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the followers; it is an empty array past the last page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["Follower"][];
                    "application/json": components["schemas"]["Follower"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFollows: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["getFollowers.per_page"];
                /**
                 * @description The kind of what is followed.
                 * @example tags
                 */
                kind?: "users" | "organizations" | "tags";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the follows; it is an empty array past the last page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["Follow"][];
                    "application/json": components["schemas"]["Follow"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFollowedTags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the tags; it is an empty array if there are none. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["FollowedTag"][];
                    "application/json": components["schemas"]["FollowedTag"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    follow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The kind of what is followed.
                 * @example tags
                 */
                kind: components["parameters"]["kind"];
                /**
                 * @description The id, or the username, in any case. A tag's name may be digits, and comes before an id.
                 * @example bookbinding
                 */
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller follows it. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unfollow: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The kind of what is followed.
                 * @example tags
                 */
                kind: components["parameters"]["kind"];
                /**
                 * @description The id, or the username, in any case. A tag's name may be digits, and comes before an id.
                 * @example bookbinding
                 */
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller doesn't follow it. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getReadinglist: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["getReadinglist.per_page"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the items; it is an empty array past the last page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["ReadingListItem"][];
                    "application/json": components["schemas"]["ReadingListItem"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    saveArticle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the article.
                 * @example 33
                 */
                article_id: components["parameters"]["article_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The article is in the reading list. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unsaveArticle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the article.
                 * @example 33
                 */
                article_id: components["parameters"]["article_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The article isn't in the reading list. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getNotifications: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["getReadinglist.per_page"];
                /**
                 * @description `true` leaves out read ones.
                 * @example true
                 */
                unread?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the notifications; it is an empty array past the last page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["Notification"][];
                    "application/json": components["schemas"]["Notification"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTags: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the tags; it is an empty array past the last page. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["Tag"][];
                    "application/json": components["schemas"]["Tag"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listListings: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["listMyArticles.per_page"];
                /**
                 * @description Only listings in the category with this slug.
                 * @example events
                 */
                category?: components["parameters"]["category"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["listListings"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createListing: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text that the client chooses to identify the request. For at least 24 hours, the same request with the same key gets the same response and has no further effect.
                 * @example createListing-2026-03-02
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A listing to create. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "listing": {
                 *         "title": "Paper press to lend",
                 *         "body_markdown": "For an afternoon.",
                 *         "category": "misc",
                 *         "tags": [
                 *           "bookbinding"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewListing"];
                /**
                 * @example {
                 *       "listing": {
                 *         "title": "Paper press to lend",
                 *         "body_markdown": "For an afternoon.",
                 *         "category": "misc",
                 *         "tags": [
                 *           "bookbinding"
                 *         ]
                 *       }
                 *     }
                 */
                "application/vnd.service.api-v1+json": components["schemas"]["NewListing"];
            };
        };
        responses: {
            /** @description The response contains the listing. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["WrittenListing"];
                    "application/json": components["schemas"]["WrittenListing"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["createListing.UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listListingsByCategory: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["listMyArticles.per_page"];
            };
            header?: never;
            path: {
                /**
                 * @description The slug of the category.
                 * @example events
                 */
                category: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["listListings"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOrganizationListings: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["listMyArticles.per_page"];
                /**
                 * @description Only listings in the category with this slug.
                 * @example events
                 */
                category?: components["parameters"]["category"];
            };
            header?: never;
            path: {
                /**
                 * @description The username of the organization, in any case, or its id.
                 * @example tinker_lab
                 */
                username: components["parameters"]["getOrganization.username"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["listListings"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getListing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the listing.
                 * @example 1
                 */
                id: components["parameters"]["getListing.id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the listing. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["Listing"];
                    "application/json": components["schemas"]["Listing"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateListing: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An `ETag` of the resource, or `*` for any version. If the resource has changed since, the request fails and changes nothing.
                 * @example *
                 */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /**
                 * @description The id of the listing.
                 * @example 1
                 */
                id: components["parameters"]["getListing.id"];
            };
            cookie?: never;
        };
        /** @description A change of a listing. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "listing": {
                 *         "location": "Tbilisi"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ListingChange"];
                /**
                 * @example {
                 *       "listing": {
                 *         "location": "Tbilisi"
                 *       }
                 *     }
                 */
                "application/vnd.service.api-v1+json": components["schemas"]["ListingChange"];
            };
        };
        responses: {
            /** @description The response contains the listing. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["WrittenListing"];
                    "application/json": components["schemas"]["WrittenListing"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["createListing.UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getProfileImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The username of the user or organization, in any case.
                 * @example mara_lindqvist
                 */
                username: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the URLs of the image. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["ProfileImage"];
                    "application/json": components["schemas"]["ProfileImage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnalyticsTotals: {
        parameters: {
            query?: {
                /**
                 * @description The id of an organization of the caller, for its figures instead of the caller's.
                 * @example 1
                 */
                organization_id?: components["parameters"]["organization_id"];
                /**
                 * @description The id of a published article, for its figures instead of those of all articles.
                 * @example 2
                 */
                article_id?: components["parameters"]["getAnalyticsTotals.article_id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the figures. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["AnalyticsTotals"];
                    "application/json": components["schemas"]["AnalyticsTotals"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnalyticsHistory: {
        parameters: {
            query: {
                /**
                 * @description The first day, in UTC, as `yyyy-mm-dd`. Month and day may have one digit.
                 * @example 2026-03-01
                 */
                start: string;
                /**
                 * @description The last day. The default is today; the range has at most 3,660 days.
                 * @example 2026-03-31
                 */
                end?: string;
                /**
                 * @description The id of an organization of the caller, for its figures instead of the caller's.
                 * @example 1
                 */
                organization_id?: components["parameters"]["organization_id"];
                /**
                 * @description The id of a published article, for its figures instead of those of all articles.
                 * @example 2
                 */
                article_id?: components["parameters"]["getAnalyticsTotals.article_id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the figures of each day, by date. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["AnalyticsHistory"];
                    "application/json": components["schemas"]["AnalyticsHistory"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnalyticsOfPastDay: {
        parameters: {
            query?: {
                /**
                 * @description The id of an organization of the caller, for its figures instead of the caller's.
                 * @example 1
                 */
                organization_id?: components["parameters"]["organization_id"];
                /**
                 * @description The id of a published article, for its figures instead of those of all articles.
                 * @example 2
                 */
                article_id?: components["parameters"]["getAnalyticsTotals.article_id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the figures of yesterday and today, by date. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["AnalyticsHistory"];
                    "application/json": components["schemas"]["AnalyticsHistory"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnalyticsReferrers: {
        parameters: {
            query?: {
                /**
                 * @description The first day, in UTC, as `yyyy-mm-dd`. The default is all days.
                 * @example 2026-03-01
                 */
                start?: string;
                /**
                 * @description The last day. The default is today.
                 * @example 2026-03-31
                 */
                end?: string;
                /**
                 * @description The id of an organization of the caller, for its figures instead of the caller's.
                 * @example 1
                 */
                organization_id?: components["parameters"]["organization_id"];
                /**
                 * @description The id of a published article, for its figures instead of those of all articles.
                 * @example 2
                 */
                article_id?: components["parameters"]["getAnalyticsTotals.article_id"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the hosts that readers came from. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["AnalyticsReferrers"];
                    "application/json": components["schemas"]["AnalyticsReferrers"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    uploadImage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text that the client chooses to identify the request. For at least 24 hours, the same request with the same key gets the same response and has no further effect.
                 * @example uploadImage-2026-03-02
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "image": "assets/demo/balcony.webp"
                 *     }
                 */
                "multipart/form-data": components["schemas"]["ImageForm"];
            };
        };
        responses: {
            /** @description The image is stored. */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["ImageUpload"];
                    "application/json": components["schemas"]["ImageUpload"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            /** @description The image is larger than 10 MiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            414: components["responses"]["URITooLong"];
            /** @description The body isn't a form (`multipart/form-data`). */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the endpoints; it is an empty array if there are none. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["ListedWebhook"][];
                    "application/json": components["schemas"]["ListedWebhook"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text that the client chooses to identify the request. For at least 24 hours, the same request with the same key gets the same response and has no further effect.
                 * @example createWebhook-2026-03-02
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A webhook endpoint to create. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "webhook_endpoint": {
                 *         "source": "newsletter",
                 *         "target_url": "https://hooks.example/newsletter",
                 *         "events": [
                 *           "article_published"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewWebhook"];
                /**
                 * @example {
                 *       "webhook_endpoint": {
                 *         "source": "newsletter",
                 *         "target_url": "https://hooks.example/newsletter",
                 *         "events": [
                 *           "article_published"
                 *         ]
                 *       }
                 *     }
                 */
                "application/vnd.service.api-v1+json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            /** @description The response contains the endpoint with its secret. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["CreatedWebhook"];
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the endpoint.
                 * @example 1
                 */
                id: components["parameters"]["getWebhook.id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["getWebhook"];
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the endpoint.
                 * @example 1
                 */
                id: components["parameters"]["getWebhook.id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is deleted. */
            204: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description The page number, starting from 1.
                 * @example 1
                 */
                page?: components["parameters"]["page"];
                /**
                 * @description Items per page.
                 * @example 10
                 */
                per_page?: components["parameters"]["listMyArticles.per_page"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the endpoint.
                 * @example 1
                 */
                id: components["parameters"]["getWebhook.id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the deliveries; it is an empty array past the last page. */
            200: {
                headers: {
                    Link: components["headers"]["Link"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["WebhookDelivery"][];
                    "application/json": components["schemas"]["WebhookDelivery"][];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text that the client chooses to identify the request. For at least 24 hours, the same request with the same key gets the same response and has no further effect.
                 * @example rotateWebhookSecret-2026-03-02
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the endpoint.
                 * @example 1
                 */
                id: components["parameters"]["getWebhook.id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the endpoint with its new secret. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["WebhookWithSecret"];
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retryWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text that the client chooses to identify the request. For at least 24 hours, the same request with the same key gets the same response and has no further effect.
                 * @example retryWebhookDelivery-2026-03-02
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the endpoint.
                 * @example 1
                 */
                id: components["parameters"]["getWebhook.id"];
                /**
                 * @description The id of the delivery.
                 * @example 1
                 */
                delivery_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["retryWebhookDelivery"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    pingWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text that the client chooses to identify the request. For at least 24 hours, the same request with the same key gets the same response and has no further effect.
                 * @example pingWebhook-2026-03-02
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the endpoint.
                 * @example 1
                 */
                id: components["parameters"]["getWebhook.id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["retryWebhookDelivery"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    enableWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A text that the client chooses to identify the request. For at least 24 hours, the same request with the same key gets the same response and has no further effect.
                 * @example enableWebhook-2026-03-02
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the endpoint.
                 * @example 1
                 */
                id: components["parameters"]["getWebhook.id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: components["responses"]["getWebhook"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getIndex: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the URLs. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["ApiIndex"];
                    "application/json": components["schemas"]["ApiIndex"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getInstance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the community. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Warning: components["headers"]["Warning"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["Instance"];
                    "application/json": components["schemas"]["Instance"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    checkHealthOfApp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The app works. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["AppHealth"];
                    "application/json": components["schemas"]["AppHealth"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
        };
    };
    checkHealthOfDatabase: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The database works. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["DatabaseHealth"];
                    "application/json": components["schemas"]["DatabaseHealth"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            /** @description The database doesn't work. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Database NOT connected!"
                     *     }
                     */
                    "application/json": components["schemas"]["DatabaseFailure"];
                };
            };
        };
    };
    checkHealthOfCache: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cache works. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["CacheHealth"];
                    "application/json": components["schemas"]["CacheHealth"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            /** @description The cache doesn't work. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Cache NOT connected!"
                     *     }
                     */
                    "application/json": components["schemas"]["CacheFailure"];
                };
            };
        };
    };
    checkLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["checkLiveness"];
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
        };
    };
    checkReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["checkLiveness"];
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAdminConfig: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the settings. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.service.api-v1+json": components["schemas"]["CommunitySettings"];
                    "application/json": components["schemas"]["CommunitySettings"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The response contains the metrics. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # HELP inkstone_http_requests_total Requests with a response, by operation and status.
                     *     # TYPE inkstone_http_requests_total counter
                     *     inkstone_http_requests_total{operation="getArticles",status="200"} 1042
                     */
                    "text/plain": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["URITooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            417: components["responses"]["ExpectationFailed"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
        };
    };
}
