// `npm run openapi:types` writes this file.
export interface StoredFile {
    /**
     * @description Name of the format. The setting `wireNames` of the deployment decides between Genway’s names (`native`, `provider_a`, `provider_b`) and OpenRouter’s (`openrouter`, `openai`, `anthropic`).
     * @enum {string}
     */
    _shape: "native" | "openrouter";
    /** @description Unique identifier for the object. */
    id: string;
    /**
     * @description The type of the object.
     * @constant
     */
    type: "file";
    /** @description Name given when the file was uploaded, or `upload` if that name was empty. */
    filename: string;
    /** @description Media type, detected from the content. */
    mime_type: string;
    /** @description Size in bytes. */
    size_bytes: number;
    /**
     * Format: date-time
     * @description Time of creation, in ISO 8601 (UTC).
     */
    created_at: string;
    /** @description Whether you can download the content. Always `true`. */
    downloadable: boolean;
    /**
     * Format: date-time
     * @description When the file expires. Absent if the upload set no expiry.
     */
    expires_at?: string;
}

export interface VideoRequest {
    /** @description ID of a model from `GET /videos/models`, or of one of its endpoints, which then serves the job. If a model and an endpoint have the same ID, it refers to the model. */
    model: string;
    /** @description What the video shows, or what an edit changes. */
    prompt: string;
    /**
     * @description Aspect ratio, as `width:height`. Each model has a default. Omit `aspect_ratio` if an input, or the video to edit or extend, determines it: see `with_inputs` of the endpoint.
     * @enum {string}
     */
    aspect_ratio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4" | "3:2" | "2:3" | "21:9" | "9:21";
    /**
     * @description Resolution. The shorter side of a `720p` video, for example, usually has 720 pixels. Each model has a default. Omit `resolution` if an input, or the video to edit or extend, determines it: see `with_inputs` of the endpoint.
     * @enum {string}
     */
    resolution?: "360p" | "480p" | "720p" | "768p" | "1080p" | "1K" | "2K" | "4K";
    /** @description `WIDTHxHEIGHT` in pixels, one of the model’s `supported_sizes`. Send it instead of `resolution` and `aspect_ratio`. Omit it if an input or the video to continue determines the aspect ratio. With OpenAI’s `input_reference`, you can send `size` even then, but the aspect ratio of `size` has no effect. */
    size?: string;
    /** @description Duration in seconds, one of the model’s `supported_durations`. Each model has a default. Omit `duration` if an input, or the video to edit or extend, determines it: see `with_inputs` of the endpoint. */
    duration?: number;
    /** @description The same seed and parameters should produce the same video. Not every provider guarantees it. */
    seed?: number;
    /** @description Whether the video has sound. Default: `true` if the endpoint can generate sound with the given inputs, otherwise `false`. */
    generate_audio?: boolean;
    /** @description Images for the first and the last frame, at most one of each. With frame images, `input_references` has no effect. Not allowed in a request that edits or extends a video. */
    frame_images?: {
        /**
         * @description Always `image_url`.
         * @constant
         */
        type: "image_url";
        /** @description The image, given by its `url`. */
        image_url: {
            /** @description An https URL, a `data:image/…;base64` URL, the ID of an uploaded file, or the ID of a completed video, whose last frame is used. An https URL must also follow the rules of `callback_url`. */
            url: string;
        };
        /**
         * @description Whether the image is the first or the last frame of the video.
         * @enum {string}
         */
        frame_type: "first_frame" | "last_frame";
    }[];
    /** @description Images, audio clips and videos that guide the generation. Kinds that the endpoint does not accept have no effect. Not allowed in a request that edits or extends a video. */
    input_references?: ({
        /**
         * @description The kind of the reference, which is also the name of the field that holds it.
         * @constant
         */
        type: "image_url";
        /** @description The image, given by its `url`. */
        image_url: {
            /** @description An https URL, a `data:image/…;base64` URL, the ID of an uploaded file, or the ID of a completed video, whose last frame is used. An https URL must also follow the rules of `callback_url`. */
            url: string;
        };
    } | {
        /**
         * @description The kind of the reference, which is also the name of the field that holds it.
         * @constant
         */
        type: "audio_url";
        /** @description The audio clip, given by its `url`. */
        audio_url: {
            /** @description An https URL, or the ID of an uploaded file. An https URL must also follow the rules of `callback_url`. */
            url: string;
        };
    } | {
        /**
         * @description The kind of the reference, which is also the name of the field that holds it.
         * @constant
         */
        type: "video_url";
        /** @description The video, given by its `url`. */
        video_url: {
            /** @description An https URL, or the ID of a completed video. An https URL must also follow the rules of `callback_url`. */
            url: string;
        };
    })[];
    /** @description ID of the video to continue: a completed video of the same workspace. Not allowed with frames or references. The video may come from any model. Only models with an entry in `supported_continuations` can continue videos. */
    previous_job_id?: string;
    /**
     * @description How to continue the video. Requires `previous_job_id`. `extend` generates the next `duration` seconds of the video. `edit` changes the video as the prompt says and keeps its duration. Defaults to `extend` if the model supports it, and otherwise to `edit`.
     * @enum {string}
     */
    continuation?: "extend" | "edit";
    /** @description Which providers may serve the job, their order, and their settings. */
    provider?: {
        /** @description Providers or endpoint IDs to try first, in this order. Regardless of `order`, shared accounts come after your own provider keys, but before those with `is_fallback`. Resting providers come last. */
        order?: string[];
        /** @description The only providers, or endpoint IDs, that may serve the job. Default: all. */
        only?: string[];
        /** @description Providers or endpoint IDs that may not serve the job. */
        ignore?: string[];
        /**
         * @description How to sort endpoints that `order` does not rank: by price, seconds of video per second of waiting (`throughput`), waiting time (`latency`) or quality (`exacto`). Defaults to `default_provider_sort` of the workspace or, if that is null, to `price`.
         * @enum {string}
         */
        sort?: "price" | "throughput" | "latency" | "exacto";
        /**
         * @description Whether Genway may try another endpoint or account if the first does not accept the job.
         * @default true
         */
        allow_fallbacks?: boolean;
        /** @description Maximum cost of the job, in USD. */
        max_price?: number | {
            /** @description Maximum cost of the job in USD, with at most 6 decimals. */
            request: number;
        };
        /** @description Settings for each provider, at most 32 KiB of JSON in total. Genway passes to each provider only its own settings. */
        options?: {
            [key: string]: {
                [key: string]: unknown;
            };
        };
    };
    /**
     * Format: uri
     * @description URL that receives a webhook when the job ends. Must be an https URL with a public host name and port 443 or 8443, or an http or https URL of a host in the deployment’s `allowedPrivateHosts`. At most 2,048 characters. Must not contain credentials or a fragment. Defaults to the default callback URL of the workspace.
     */
    callback_url?: string;
    /** @description Your own strings, returned in the webhook and, except in OpenAI’s format, with the job. */
    metadata?: {
        [key: string]: string;
    };
    /** @description Your identifier for an end user, for reports, private logs and traces. Never sent to a provider. */
    user?: string;
    /** @description Groups requests in private logs and traces. Overrides the header `x-session-id`. Never sent to a provider. */
    session_id?: string;
    /** @description Fields for the traces that the workspace broadcasts: `trace_id`, `parent_span_id`, `generation_name` (the name of the span), and your own attributes. At most 2,048 bytes of JSON. Never sent to a provider. */
    trace?: {
        [key: string]: unknown;
    };
    /** @description ID or slug of a workspace. Defaults to the workspace of the calling key. A management key may name any workspace in its scope. */
    workspace_id?: string;
}

export interface Video {
    /** @description Unique identifier for the object. */
    id: string;
    /** @description Path of the job: `/api/v1/videos/<id>`. */
    polling_url: string;
    /**
     * @description Status of the job. `pending` and `in_progress` are not final. All others are, unless an operator lets a failed job continue.
     * @enum {string}
     */
    status: "pending" | "in_progress" | "completed" | "failed" | "cancelled" | "expired";
    /** @description The `model` of the submission. For an edit or extension without `model`, the model of the video that it edits or extends. */
    model: string;
    /** @description The provider that accepted the job. If none has, the provider that Genway selected last. */
    provider?: string;
    /**
     * Format: date-time
     * @description Time of creation, in ISO 8601 (UTC).
     */
    created_at: string;
    /** @description The price at the endpoint that Genway tries first, in USD. */
    estimated_cost: number;
    /** @description The highest price among the endpoints that may serve the job, in USD. Once submitted, a job never costs more than its own `max_cost`. */
    max_cost: number;
    /** @description The `metadata` of the submission. */
    metadata?: {
        [key: string]: string;
    };
    /** @description The `user` of the submission. */
    user?: string;
    /** @description The `session_id` of the submission, or its `x-session-id` header. */
    session_id?: string;
    /** @description The `trace` of the submission. Values that are arrays, objects or null are returned as JSON text. */
    trace?: {
        [key: string]: string | number | boolean;
    };
    /** @description Warnings about unknown fields, which Genway ignored, and about fields that it used only in part. */
    warnings?: string[];
    /** @description Why the job is waiting, and when Genway tries again. */
    waiting_for?: {
        /**
         * @description Why the job is waiting. More reasons may be added.
         * @enum {string}
         */
        reason: "provider_resting" | "provider_busy" | "rate_limit" | "provider_unavailable" | "confirmation" | "input";
        /**
         * Format: date-time
         * @description Time of the next attempt, in ISO 8601 (UTC).
         */
        until: string;
        /** @description Why an earlier submission to a provider failed. */
        error?: string;
    };
    /** @description ID for `GET /generation`. Present once the provider has accepted the job. */
    generation_id?: string;
    /**
     * Format: date-time
     * @description Time at which cancellation was requested. Absent once the job has ended.
     */
    cancel_requested_at?: string;
    /** @description Approximate progress in percent. It never decreases, and is 100 once the job has completed. Absent until there is progress. */
    progress?: number;
    /** @description Why the job failed, expired or was cancelled. */
    error?: string;
    /** @description Kind and description of the error, and whether a retry may succeed. */
    error_details?: {
        /**
         * @description The kind of error. More kinds may be added.
         * @enum {string}
         */
        type: "moderation" | "provider" | "input" | "timeout" | "cancelled" | "internal";
        /** @description Human-readable description of the error. */
        message: string;
        /** @description Whether the same submission may succeed on a retry. `false` if the job was cancelled. */
        retryable: boolean;
    };
    /** @description URLs of the results, once the job has completed. Downloads require a key with the operation group `content`. */
    unsigned_urls?: string[];
    /** @description The videos, in the order of `unsigned_urls`. */
    outputs?: {
        /**
         * @description Media type. Always `video/mp4`.
         * @constant
         */
        content_type: "video/mp4";
        /** @description Size in bytes. */
        size_bytes: number;
        /** @description SHA-256 of the video, in hexadecimal. */
        sha256: string;
        /** @description Width in pixels, read from the video. */
        width?: number;
        /** @description Height in pixels, read from the video. */
        height?: number;
        /** @description Duration in seconds, read from the video. */
        duration?: number;
    }[];
    /**
     * Format: date-time
     * @description When the results expire.
     */
    content_expires_at?: string;
    /** @description Cost of the job. Absent until the job has ended. */
    usage?: {
        /** @description Cost in USD. */
        cost: number;
        /** @description Whether the job ran on the workspace’s own provider key, not on a shared account. */
        is_byok: boolean;
    };
    /**
     * Format: date-time
     * @description Time at which the job ended, in ISO 8601 (UTC). Absent until then.
     */
    completed_at?: string;
    /** @description Signed links to the results. They need no key, and expire after at most an hour. Present from the completion of the job until the results expire. Absent in webhooks, and if the key lacks the operation group `content`. */
    urls?: string[];
    /** @description Signed links to a JPEG of the first frame of each result, at most 512 pixels a side. The links need no key, and expire after at most an hour. An entry is null if no thumbnail could be created. Absent where `urls` is absent, and until the thumbnails exist, usually a few seconds after the job has completed. */
    thumbnail_urls?: (string | null)[];
}

export interface VideoGenerationCompletedEvent {
    /**
     * @description The type of the object.
     * @constant
     */
    type: "video.generation.completed";
    /**
     * Format: date-time
     * @description Time at which the job ended, in ISO 8601 (UTC).
     */
    timestamp: string;
    /** @description The job as it was when it ended, without signed links. */
    data: Video & {
        /**
         * Format: uuid
         * @description ID of the workspace (a UUID).
         */
        workspace_id: string;
    };
}

export interface VideoGenerationFailedEvent {
    /**
     * @description The type of the object.
     * @constant
     */
    type: "video.generation.failed";
    /**
     * Format: date-time
     * @description Time at which the job ended, in ISO 8601 (UTC).
     */
    timestamp: string;
    /** @description The job as it was when it ended, without signed links. */
    data: Video & {
        /**
         * Format: uuid
         * @description ID of the workspace (a UUID).
         */
        workspace_id: string;
    };
}

export interface VideoGenerationCancelledEvent {
    /**
     * @description The type of the object.
     * @constant
     */
    type: "video.generation.cancelled";
    /**
     * Format: date-time
     * @description Time at which the job ended, in ISO 8601 (UTC).
     */
    timestamp: string;
    /** @description The job as it was when it ended, without signed links. */
    data: Video & {
        /**
         * Format: uuid
         * @description ID of the workspace (a UUID).
         */
        workspace_id: string;
    };
}

export interface VideoGenerationExpiredEvent {
    /**
     * @description The type of the object.
     * @constant
     */
    type: "video.generation.expired";
    /**
     * Format: date-time
     * @description Time at which the job ended, in ISO 8601 (UTC).
     */
    timestamp: string;
    /** @description The job as it was when it ended, without signed links. */
    data: Video & {
        /**
         * Format: uuid
         * @description ID of the workspace (a UUID).
         */
        workspace_id: string;
    };
}

export interface WebhookTestEvent {
    /**
     * @description The type of the object.
     * @constant
     */
    type: "webhook.test";
    /**
     * Format: date-time
     * @description Time at which the test was requested, in ISO 8601 (UTC).
     */
    timestamp: string;
    /** @description The workspace of the webhook. */
    data: {
        /**
         * Format: uuid
         * @description ID of the workspace (a UUID).
         */
        workspace_id: string;
    };
}
